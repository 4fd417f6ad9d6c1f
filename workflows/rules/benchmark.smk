# Speeds that psflip bench measured before: tables, figures, the page. Nothing is timed here, because a number that other
# jobs disturb is none.


rule benchmark_tables:
    input:
        benchmarks=STUDY.files,
    output:
        speed="results/{study}/tables/speed.csv",
        roofline="results/{study}/tables/roofline.csv",
        rivals="results/{study}/tables/rivals.csv",
        targets="results/{study}/tables/targets.csv",
    log:
        "results/{study}/logs/benchmark_tables.log",
    benchmark:
        "results/{study}/benchmarks/benchmark_tables.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=1000,
    params:
        code=module_fingerprint("workflows.benchmark.tables"),
    shell:
        "python -m workflows.benchmark.tables {input.benchmarks} --output results/{wildcards.study}/tables > {log} 2>&1"


rule plot_benchmark:
    input:
        benchmarks=STUDY.files,
    output:
        **{name: f"results/{{study}}/plots/{name}.svg" for name in STUDY.figures()},
    log:
        "results/{study}/logs/plot_benchmark.log",
    benchmark:
        "results/{study}/benchmarks/plot_benchmark.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.benchmark.figures"),
    shell:
        "python -m workflows.benchmark.figures {input.benchmarks} --output results/{wildcards.study}/plots > {log} 2>&1"


rule benchmark_report:
    input:
        benchmarks=STUDY.files,
        tables=rules.benchmark_tables.output,
        figures=rules.plot_benchmark.output,
    output:
        report="results/{study}/report.html",
    log:
        "results/{study}/logs/benchmark_report.log",
    benchmark:
        "results/{study}/benchmarks/benchmark_report.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=1000,
    params:
        code=module_fingerprint(
            "workflows.benchmark.report",
            "workflows/benchmark/report.html.j2",
            "workflows/report/page.html.j2",
        ),
        title=lambda wildcards: STUDY.title,  # by a function: Snakemake puts wildcards into text
        command=command_to_repeat,
    shell:
        "python -m workflows.benchmark.report {input.benchmarks} --figures {input.figures} --title {params.title:q}"
        " --tables results/{wildcards.study}/tables --command {params.command:q} --output {output.report} > {log} 2>&1"
