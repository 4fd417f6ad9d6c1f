# All shards of one size to a table of observables with jackknife errors; all tables of a study to one.


rule combine:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        reduced=reduced_of_size,
    output:
        table="results/{study}/tables/{part}/L{L}.csv",
    log:
        "results/{study}/logs/combine/{part}_L{L}.log",
    benchmark:
        "results/{study}/benchmarks/combine/{part}_L{L}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("combine"),
        samples=lambda wildcards: f"0:{STUDY.parts[wildcards.part].samples[int(wildcards.L)]}",
    shell:
        "{input.analysis} combine {input.reduced} --expect-samples {params.samples}"
        " --output {output.table} > {log} 2>&1"


rule tabulate:
    input:
        tables=tables_of_sizes(),
    output:
        table="results/{study}/tables/observables.csv",
        verdicts="results/{study}/tables/verdicts.csv",
    log:
        "results/{study}/logs/tabulate.log",
    benchmark:
        "results/{study}/benchmarks/tabulate.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.tables.tabulate"),
        parts=STUDY.keys_of_parts,
    shell:
        "python -m workflows.tables.tabulate {input.tables} --parts {params.parts:q} --output {output.table}"
        " --verdicts {output.verdicts} > {log} 2>&1"
