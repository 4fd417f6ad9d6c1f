# What every part of exchange Monte Carlo shows of its runs, whatever the model: C from the variance and from the derivative,
# energy and order parameter on logarithmic bins, times of single samples. Nothing else depends on these files.


wildcard_constraints:
    prefix=tempered_prefixes(),


rule specific_heat:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        reduced=reduced_of_size,
    output:
        table="results/{study}/tables/{part}/specific_heat_L{L}.csv",
    log:
        "results/{study}/logs/specific_heat/{part}_L{L}.log",
    benchmark:
        "results/{study}/benchmarks/specific_heat/{part}_L{L}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("specific_heat"),
    shell:
        "{input.analysis} specific-heat {input.reduced} --output {output.table} > {log} 2>&1"


rule log_bins:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        reduced=reduced_of_size,
    output:
        table="results/{study}/tables/{part}/log_bins_L{L}.csv",
    log:
        "results/{study}/logs/log_bins/{part}_L{L}.log",
    benchmark:
        "results/{study}/benchmarks/log_bins/{part}_L{L}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("log_bins"),
    shell:
        "{input.analysis} log-bins {input.reduced} --output {output.table} > {log} 2>&1"


rule sample_times:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        shards=shards_of_size,
    output:
        slowest="results/{study}/tables/{part}/sample_times_L{L}.csv",
        quantiles="results/{study}/tables/{part}/sample_times_L{L}_quantiles.csv",
        histogram="results/{study}/tables/{part}/sample_times_L{L}_histogram.csv",
    log:
        "results/{study}/logs/sample_times/{part}_L{L}.log",
    benchmark:
        "results/{study}/benchmarks/sample_times/{part}_L{L}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("sample_times"),
    shell:
        "{input.analysis} sample-times {input.shards} --slowest 20 --quantiles {output.quantiles}"
        " --histogram {output.histogram} --output {output.slowest} > {log} 2>&1"


rule plot_specific_heat:
    input:
        tables=of_prefix(specific_heat_tables),
    output:
        "results/{study}/plots/{prefix}_specific_heat.svg",
    log:
        "results/{study}/logs/plot_specific_heat/{prefix}.log",
    benchmark:
        "results/{study}/benchmarks/plot_specific_heat/{prefix}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.diagnostics.specific_heat"),
    shell:
        "python -m workflows.diagnostics.specific_heat {input.tables} --prefix {wildcards.prefix}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_equilibration:
    input:
        tables=of_prefix(log_bin_tables),
    output:
        "results/{study}/plots/{prefix}_equilibration.svg",
    log:
        "results/{study}/logs/plot_equilibration/{prefix}.log",
    benchmark:
        "results/{study}/benchmarks/plot_equilibration/{prefix}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.diagnostics.equilibration"),
    shell:
        "python -m workflows.diagnostics.equilibration {input.tables} --prefix {wildcards.prefix}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_sample_times:
    input:
        tables=of_prefix(histograms_of_times),
    output:
        "results/{study}/plots/{prefix}_sample_times.svg",
    log:
        "results/{study}/logs/plot_sample_times/{prefix}.log",
    benchmark:
        "results/{study}/benchmarks/plot_sample_times/{prefix}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.diagnostics.sample_times"),
    shell:
        "python -m workflows.diagnostics.sample_times {input.tables} --prefix {wildcards.prefix}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"
