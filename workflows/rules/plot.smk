# Figures: one rule for each model with figures of its own, one for each method that draws any other model. A rule draws all
# figures of a model, because they compare sizes and parts.


rule plot_ising2d:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=crossing_tables("ising2d", "equilibrium"),
    output:
        **figures("ising2d", "equilibrium"),
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
            "workflows/models/ising2d/figures.py",
            "workflows/models/ising2d/exact.py",
            "workflows/methods/equilibrium/figures.py",
            "workflows/figures/arguments.py",
            "workflows/figures/style.py",
        ),
    shell:
        "python -m workflows.models.ising2d.figures --observables {input.observables} --crossings {input.crossings}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_ea3d:
    input:
        observables="results/{study}/tables/observables.csv",
        dynamics=dynamics_tables("ea3d", "relaxation"),
    output:
        **figures("ea3d", "relaxation"),
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
            "workflows/models/ea3d/figures.py",
            "workflows/methods/relaxation/figures.py",
            "workflows/methods/relaxation/exact.py",
            "workflows/figures/arguments.py",
            "workflows/figures/style.py",
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
        crossings=crossing_tables("rfim3d", "tempering"),
        curves=tables_of_crossing_sizes("rfim3d", "tempering"),
        grids=grids(),
    output:
        **figures("rfim3d", "tempering"),
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
            "workflows/methods/tempering/grids.py",
            "workflows/models/rfim3d/drift.py",
            "workflows/figures/arguments.py",
            "workflows/figures/style.py",
        ),
    shell:
        "python -m workflows.models.rfim3d.figures --observables {input.observables} --crossings {input.crossings}"
        " --curves {input.curves} --grids {input.grids} --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_relaxation:
    input:
        observables="results/{study}/tables/observables.csv",
        dynamics=lambda wildcards: dynamics_tables(wildcards.model, "relaxation"),
    output:
        **figures_of_any_model("relaxation"),
    log:
        "results/{study}/logs/plot_relaxation/{model}.log",
    benchmark:
        "results/{study}/benchmarks/plot_relaxation/{model}.tsv"
    wildcard_constraints:
        model="[a-z0-9]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=fingerprint(
            "workflows/methods/relaxation/figures.py",
            "workflows/methods/relaxation/exact.py",
            "workflows/figures/arguments.py",
            "workflows/figures/style.py",
        ),
        kind=spin_glass_option,
    shell:
        "python -m workflows.methods.relaxation.figures --model {wildcards.model}{params.kind}"
        " --observables {input.observables} --dynamics {input.dynamics} --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_equilibrium:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=lambda wildcards: crossing_tables(wildcards.model, "equilibrium"),
    output:
        **figures_of_any_model("equilibrium"),
    log:
        "results/{study}/logs/plot_equilibrium/{model}.log",
    benchmark:
        "results/{study}/benchmarks/plot_equilibrium/{model}.tsv"
    wildcard_constraints:
        model="[a-z0-9]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=fingerprint(
            "workflows/methods/equilibrium/figures.py",
            "workflows/figures/arguments.py",
            "workflows/figures/style.py",
        ),
        published=published_option("equilibrium"),
    shell:
        "python -m workflows.methods.equilibrium.figures --model {wildcards.model}{params.published} --observables {input.observables}"
        " --crossings {input.crossings} --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_tempering:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=lambda wildcards: crossing_tables(wildcards.model, "tempering"),
    output:
        **figures_of_any_model("tempering"),
    log:
        "results/{study}/logs/plot_tempering/{model}.log",
    benchmark:
        "results/{study}/benchmarks/plot_tempering/{model}.tsv"
    wildcard_constraints:
        model="[a-z0-9]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=fingerprint(
            "workflows/methods/tempering/figures.py",
            "workflows/methods/tempering/histogram.py",
            "workflows/methods/equilibrium/figures.py",
            "workflows/figures/arguments.py",
            "workflows/figures/style.py",
        ),
        published=published_option("tempering"),
    shell:
        "python -m workflows.methods.tempering.figures --model {wildcards.model}{params.published} --observables {input.observables}"
        " --crossings {input.crossings} --output results/{wildcards.study}/plots > {log} 2>&1"
