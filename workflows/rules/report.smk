# The study as it was run, where its numbers come from, the headline numbers, and the page that shows them.


rule record_study:
    output:
        study="results/{study}/study.json",
    log:
        "results/{study}/logs/record_study.log",
    benchmark:
        "results/{study}/benchmarks/record_study.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=500,
    params:
        # By a function: Snakemake puts wildcards into text, and a title may have braces.
        content=lambda wildcards: json.dumps(STUDY.content),
    shell:
        "printf '%s\\n' {params.content:q} > {output.study} 2> {log}"


rule provenance:
    input:
        study="results/{study}/study.json",
        reduced=reduced_of_study(),
    output:
        table="results/{study}/tables/provenance.csv",
    log:
        "results/{study}/logs/provenance.log",
    benchmark:
        "results/{study}/benchmarks/provenance.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.tables.provenance"),
    shell:
        "python -m workflows.tables.provenance {input.study} --output {output.table} > {log} 2>&1"


rule summarize:
    input:
        study="results/{study}/study.json",
        observables="results/{study}/tables/observables.csv",
        crossings=of_all_sections(crossing_tables),
        grids=grids(),
        dynamics=of_all_sections(dynamics_tables),
        critical=critical_tables()[:1],
        readings=critical_tables()[1:],
        identities=identity_tables(),
        line=line_tables(),
    output:
        summary="results/{study}/summary.json",
    log:
        "results/{study}/logs/summarize.log",
    benchmark:
        "results/{study}/benchmarks/summarize.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.statistics.summarize", "workflows/*/*/summary.py"),
    shell:
        "python -m workflows.statistics.summarize --study {input.study} --observables {input.observables}"
        " --crossings {input.crossings} --dynamics {input.dynamics} --grids {input.grids}"
        " --critical {input.critical} --readings {input.readings} --identities {input.identities}"
        " --line {input.line} --output {output.summary} > {log} 2>&1"


rule report:
    input:
        study="results/{study}/study.json",
        summary="results/{study}/summary.json",
        observables="results/{study}/tables/observables.csv",
        provenance="results/{study}/tables/provenance.csv",
        figures=all_figures(),
        crossings=of_all_sections(crossing_tables),
        grids=grids(),
        dynamics=of_all_sections(dynamics_tables),
        critical=critical_tables()[:1],
        boundary=boundary_table(),
        times=of_all_sections(numbers_of_times),
        identities=identity_tables(),
        line=line_tables(),
    output:
        report="results/{study}/report.html",
    log:
        "results/{study}/logs/report.log",
    benchmark:
        "results/{study}/benchmarks/report.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint(
            "workflows.report.report",
            "workflows/*/*/report.py",
            "workflows/*/*/report.html.j2",
            "workflows/critical/report.html.j2",
            "workflows/diagnostics/report.html.j2",
            "workflows/report/*.j2",
        ),
        command=command_to_repeat,
    shell:
        "python -m workflows.report.report --study {input.study} --summary {input.summary}"
        " --observables {input.observables} --provenance {input.provenance} --figures {input.figures}"
        " --crossings {input.crossings} --dynamics {input.dynamics} --grids {input.grids}"
        " --critical {input.critical} --boundary {input.boundary} --identities {input.identities} --line {input.line}"
        " --times {input.times} --command {params.command:q} --output {output.report} > {log} 2>&1"
