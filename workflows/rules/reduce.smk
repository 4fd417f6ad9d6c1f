# One shard of measurements to sums over jackknife blocks, small enough to read a whole study at once.


rule reduce:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        shard="results/{study}/shards/{run}/{first}_{samples}.h5",
    output:
        reduced="results/{study}/reduced/{run}/{first}_{samples}.h5",
    log:
        "results/{study}/logs/reduce/{run}/{first}_{samples}.log",
    benchmark:
        "results/{study}/benchmarks/reduce/{run}/{first}_{samples}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=2000,
    params:
        analysis=ANALYSIS,
        blocks=block_option,
    shell:
        "{input.analysis} reduce {input.shard}{params.blocks} --output {output.reduced} > {log} 2>&1"
