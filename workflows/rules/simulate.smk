# One shard: a fixed block of samples of one model at one size and temperature.
#
# The identity of a shard is its job (hashed into the path) and the version of the randomness contract, nothing else:
# the engine is ancient, and backend, threads and run time are resources. Any edit of the shell text below, even of a
# blank, would simulate every study again, so it is frozen. `identity` is recorded and compared: the command line of 0.1.
# `arguments` is the command line of this version; Snakemake does not record a parameter that has `input`. The checkpoint is no declared output because Snakemake
# deletes the outputs of a job that was interrupted; exit code 75 asks to be run again.


rule simulate:
    input:
        engine=ancient("build/bin/psflip"),
    output:
        shard="results/{study}/shards/{run}/{first}_{samples}.h5",
    log:
        "results/{study}/logs/simulate/{run}/{first}_{samples}.log",
    benchmark:
        "results/{study}/benchmarks/simulate/{run}/{first}_{samples}.tsv"
    wildcard_constraints:
        run="[^/]+_T[^/]+",
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
        "{input.engine} {params.arguments} --samples {wildcards.first}:{wildcards.samples}"
        " --backend {resources.backend} --threads {threads} --max-seconds $(({resources.runtime} * 54))"
        " --checkpoint {output.shard}.{params.stream}.checkpoint --output {output.shard} > {log} 2>&1"
