# Figures: one rule a model, because figures compare sizes and parts.


rule plot_ising2d:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=crossing_tables("ising2d"),
    output:
        **figures("ising2d"),
    log:
        "results/{study}/logs/plot_ising2d.log",
    benchmark:
        "results/{study}/benchmarks/plot_ising2d.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=fingerprint(
            "workflows/scripts/plot_ising2d.py", "workflows/scripts/figure.py", "workflows/scripts/exact.py"
        ),
    shell:
        "python workflows/scripts/plot_ising2d.py --observables {input.observables} --crossings {input.crossings}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_ea3d:
    input:
        observables="results/{study}/tables/observables.csv",
        dynamics=dynamics_tables(),
    output:
        **figures("ea3d"),
    log:
        "results/{study}/logs/plot_ea3d.log",
    benchmark:
        "results/{study}/benchmarks/plot_ea3d.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=fingerprint("workflows/scripts/plot_ea3d.py", "workflows/scripts/figure.py", "workflows/scripts/exact.py"),
    shell:
        "python workflows/scripts/plot_ea3d.py --observables {input.observables} --dynamics {input.dynamics}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_critical:
    input:
        study="results/{study}/study.json",
        observables="results/{study}/tables/observables.csv",
        fits="results/{study}/tables/critical.csv",
        readings="results/{study}/tables/clock.csv",
    output:
        **{name: f"results/{{study}}/plots/critical_{name}.svg" for name in CRITICAL_FIGURES},
    log:
        "results/{study}/logs/plot_critical.log",
    benchmark:
        "results/{study}/benchmarks/plot_critical.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=fingerprint(
            "workflows/scripts/plot_critical.py",
            "workflows/scripts/figure.py",
            "workflows/scripts/summarize_critical.py",
        ),
    shell:
        "python workflows/scripts/plot_critical.py --study {input.study} --observables {input.observables}"
        " --fits {input.fits} --readings {input.readings} --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_rfim3d:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=crossing_tables("rfim3d"),
        curves=tables_of_crossing_sizes("rfim3d"),
        grids=grids(),
    output:
        **figures("rfim3d"),
    log:
        "results/{study}/logs/plot_rfim3d.log",
    benchmark:
        "results/{study}/benchmarks/plot_rfim3d.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=fingerprint(
            "workflows/scripts/plot_rfim3d.py",
            "workflows/scripts/figure.py",
            "workflows/scripts/grids.py",
            "workflows/scripts/drift.py",
        ),
    shell:
        "python workflows/scripts/plot_rfim3d.py --observables {input.observables} --crossings {input.crossings}"
        " --curves {input.curves} --grids {input.grids} --output results/{wildcards.study}/plots > {log} 2>&1"
