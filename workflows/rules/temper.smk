# Exchange Monte Carlo: a grid of temperatures for each size, found by adaptation runs, then shards on that grid.
#
# As for `simulate`, the identity of a result is its job and the version of the randomness contract: the grid is ancient
# because its own job is part of the job of the shard, and the shell text of `temper` is frozen. The version is in the
# path of a grid: Snakemake does not look at the other changes of a job whose ancient input is made again in place.


rule adapt:
    input:
        engine=ancient("build/bin/psflip"),
    output:
        grid="results/{study}/grids/{stream}/{grid}.json",
    log:
        "results/{study}/logs/adapt/{stream}_{grid}.log",
    benchmark:
        "results/{study}/benchmarks/adapt/{stream}_{grid}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=1440,
        mem_mb=2000,
        backend="auto",
    params:
        job=lambda wildcards: STUDY.grids[wildcards.grid].job,
        identity=lambda wildcards: STUDY.grids[wildcards.grid].identity,
        arguments=lambda wildcards, input: STUDY.grids[wildcards.grid].arguments,
    shell:
        "{input.engine} {params.arguments} --backend {resources.backend} --threads {threads} --output {output.grid}"
        " > {log} 2>&1"


rule temper:
    input:
        engine=ancient("build/bin/psflip"),
        grid=ancient(grid_of_run),
    output:
        shard="results/{study}/shards/{run}/{first}_{samples}.h5",
    log:
        "results/{study}/logs/temper/{run}/{first}_{samples}.log",
    benchmark:
        "results/{study}/benchmarks/temper/{run}/{first}_{samples}.tsv"
    wildcard_constraints:
        run="((?!_T)[^/])+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=43200,
        mem_mb=2000,
        backend="auto",
    params:
        job=of_run(lambda wildcards: STUDY.runs[wildcards.run].job),
        identity=of_run(lambda wildcards: STUDY.runs[wildcards.run].identity),
        arguments=of_run(lambda wildcards, input: STUDY.runs[wildcards.run].arguments),
        stream=STREAM,
    shell:
        "{input.engine} {params.arguments} --grid {input.grid} --samples {wildcards.first}:{wildcards.samples}"
        " --backend {resources.backend} --threads {threads} --max-seconds $(({resources.runtime} * 54))"
        " --checkpoint {output.shard}.{params.stream}.checkpoint --output {output.shard} > {log} 2>&1"
