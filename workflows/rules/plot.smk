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
            "workflows/models/ising2d/figures.py", "workflows/models/ising2d/exact.py", "workflows/figures/style.py"
        ),
    shell:
        "python -m workflows.models.ising2d.figures --observables {input.observables} --crossings {input.crossings}"
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
        code=fingerprint(
            "workflows/models/ea3d/figures.py", "workflows/models/ea3d/exact.py", "workflows/figures/style.py"
        ),
    shell:
        "python -m workflows.models.ea3d.figures --observables {input.observables} --dynamics {input.dynamics}"
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
            "workflows/critical/figures.py",
            "workflows/critical/summary.py",
            "workflows/figures/style.py",
        ),
    shell:
        "python -m workflows.critical.figures --study {input.study} --observables {input.observables}"
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
            "workflows/models/rfim3d/figures.py",
            "workflows/models/rfim3d/grids.py",
            "workflows/models/rfim3d/drift.py",
            "workflows/figures/style.py",
        ),
    shell:
        "python -m workflows.models.rfim3d.figures --observables {input.observables} --crossings {input.crossings}"
        " --curves {input.curves} --grids {input.grids} --output results/{wildcards.study}/plots > {log} 2>&1"
