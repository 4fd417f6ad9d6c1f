# Algorithms of other papers: runs of psflip-lab one after the other, figures, the page. A timing takes all cores, because
# a number that other jobs disturb is none.


rule measure:
    input:
        laboratory=ancient("build/bin/psflip-lab"),
    output:
        measurement="results/{study}/laboratory/{entry}.json",
    log:
        "results/{study}/logs/measure/{entry}.log",
    benchmark:
        "results/{study}/benchmarks/measure/{entry}.tsv"
    wildcard_constraints:
        entry="[0-9]{3}_[a-z0-9_]+",
    conda:
        "../environment/conda.yaml"
    threads: 1024
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        code=laboratory_fingerprint(),
        arguments=lambda wildcards: STUDY.entries[wildcards.entry].arguments,
        program=lambda wildcards: STUDY.entries[wildcards.entry].program,
        option=lambda wildcards: STUDY.entries[wildcards.entry].output,
    shell:
        "{params.program} {params.arguments} {params.option} {output.measurement} > {log} 2>&1"


rule plot_laboratory:
    input:
        measurements=STUDY.files,
    output:
        **{name: f"results/{{study}}/plots/{name}.svg" for name in STUDY.figures},
    log:
        "results/{study}/logs/plot_laboratory.log",
    benchmark:
        "results/{study}/benchmarks/plot_laboratory.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.laboratory.figures"),
    shell:
        "python -m workflows.laboratory.figures {input.measurements} --output results/{wildcards.study}/plots > {log} 2>&1"


rule laboratory_report:
    input:
        measurements=STUDY.files,
        figures=[f"results/{{study}}/plots/{name}.svg" for name in STUDY.figures],
    output:
        report="results/{study}/report.html",
    log:
        "results/{study}/logs/laboratory_report.log",
    benchmark:
        "results/{study}/benchmarks/laboratory_report.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=1000,
    params:
        code=module_fingerprint(
            "workflows.laboratory.report",
            "workflows/laboratory/report.html.j2",
            "workflows/report/page.html.j2",
        ),
        title=lambda wildcards: STUDY.title,  # by a function: Snakemake puts wildcards into text
        seeds=lambda wildcards: STUDY.seeds,
        left_out=lambda wildcards: json.dumps(STUDY.left_out),
        command=command_to_repeat,
    shell:
        "python -m workflows.laboratory.report {input.measurements} --figures {input.figures} --seeds {params.seeds}"
        " --left-out {params.left_out:q} --title {params.title:q} --command {params.command:q} --output {output.report}"
        " > {log} 2>&1"
