# Shards of measurements to sums over jackknife blocks, small enough to read a full study at once.
#
# A study may have 20,000 shards: many are reduced into one file, and what their jobs said and took is gathered into one
# log and one table, so that a shard keeps no files but its own. `priority` does that soon after the shards are there.


rule reduce:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        shards=shards_of_reduction,
    output:
        reduced="results/{study}/reduced/{run}/{first}_{shards}x{samples}.h5",
    log:
        "results/{study}/logs/reduce/{run}/{first}_{shards}x{samples}.log",
    benchmark:
        "results/{study}/benchmarks/reduce/{run}/{first}_{shards}x{samples}.tsv"
    priority: 1
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("reduce"),
        blocks=block_option,
    shell:
        "( {input.analysis} reduce {input.shards}{params.blocks} --output {output.reduced}"
        " && python workflows/scripts/gather.py {input.shards} --name {wildcards.first}_{wildcards.shards}x{wildcards.samples}"
        " ) > {log} 2>&1"
