# Figures: one rule for each model with figures of its own, one for each method that draws any other model. A rule draws all
# figures of a model, because they compare sizes and parts; of one system, where a study has several of the model and method.


wildcard_constraints:
    system="(_(h|p|seed)[0-9][0-9.e-]*)*",


rule plot_ising2d:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=of_drawn(crossing_tables, "equilibrium", "ising2d"),
    output:
        **figures("ising2d", "equilibrium"),
    log:
        "results/{study}/logs/plot_ising2d{system}.log",
    benchmark:
        "results/{study}/benchmarks/plot_ising2d{system}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.models.ising2d.figures"),
        system=system_option("equilibrium", "ising2d"),
    shell:
        "python -m workflows.models.ising2d.figures --observables {input.observables} --crossings {input.crossings}"
        " --output results/{wildcards.study}/plots{params.system}"
        " > {log} 2>&1"


rule plot_ea3d:
    input:
        observables="results/{study}/tables/observables.csv",
        dynamics=of_drawn(dynamics_tables, "relaxation", "ea3d"),
    output:
        **figures("ea3d", "relaxation"),
    log:
        "results/{study}/logs/plot_ea3d{system}.log",
    benchmark:
        "results/{study}/benchmarks/plot_ea3d{system}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.models.ea3d.figures"),
        system=system_option("relaxation", "ea3d"),
    shell:
        "python -m workflows.models.ea3d.figures --observables {input.observables} --dynamics {input.dynamics}"
        " --output results/{wildcards.study}/plots{params.system}"
        " > {log} 2>&1"


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
        code=module_fingerprint("workflows.critical.figures"),
    shell:
        "python -m workflows.critical.figures --study {input.study} --observables {input.observables}"
        " --fits {input.fits} --readings {input.readings} --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_rfim3d:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=of_drawn(crossing_tables, "tempering", "rfim3d"),
        curves=of_drawn(tables_of_crossing_sizes, "tempering", "rfim3d"),
        grids=of_drawn(grids_of, "tempering", "rfim3d"),
    output:
        **figures("rfim3d", "tempering"),
    log:
        "results/{study}/logs/plot_rfim3d{system}.log",
    benchmark:
        "results/{study}/benchmarks/plot_rfim3d{system}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.models.rfim3d.figures"),
        system=system_option("tempering", "rfim3d"),
    shell:
        "python -m workflows.models.rfim3d.figures --observables {input.observables} --crossings {input.crossings}"
        " --curves {input.curves} --grids {input.grids} --output results/{wildcards.study}/plots{params.system}"
        " > {log} 2>&1"


rule plot_relaxation:
    input:
        observables="results/{study}/tables/observables.csv",
        dynamics=of_drawn(dynamics_tables, "relaxation"),
    output:
        **figures_of_any_model("relaxation"),
    log:
        "results/{study}/logs/plot_relaxation/{model}{system}.log",
    benchmark:
        "results/{study}/benchmarks/plot_relaxation/{model}{system}.tsv"
    wildcard_constraints:
        model="[a-z0-9]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.methods.relaxation.figures"),
        kind=spin_glass_option,
        system=system_option("relaxation"),
    shell:
        "python -m workflows.methods.relaxation.figures --model {wildcards.model}{params.kind}"
        " --observables {input.observables} --dynamics {input.dynamics} --output results/{wildcards.study}/plots{params.system}"
        " > {log} 2>&1"


rule plot_equilibrium:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=of_drawn(crossing_tables, "equilibrium"),
    output:
        **figures_of_any_model("equilibrium"),
    log:
        "results/{study}/logs/plot_equilibrium/{model}{system}.log",
    benchmark:
        "results/{study}/benchmarks/plot_equilibrium/{model}{system}.tsv"
    wildcard_constraints:
        model="[a-z0-9]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.methods.equilibrium.figures"),
        published=published_option("equilibrium"),
        system=system_option("equilibrium"),
    shell:
        "python -m workflows.methods.equilibrium.figures --model {wildcards.model}{params.published} --observables {input.observables}"
        " --crossings {input.crossings} --output results/{wildcards.study}/plots{params.system}"
        " > {log} 2>&1"


rule plot_tempering:
    input:
        observables="results/{study}/tables/observables.csv",
        crossings=of_drawn(crossing_tables, "tempering"),
    output:
        **figures_of_any_model("tempering"),
    log:
        "results/{study}/logs/plot_tempering/{model}{system}.log",
    benchmark:
        "results/{study}/benchmarks/plot_tempering/{model}{system}.tsv"
    wildcard_constraints:
        model="[a-z0-9]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.methods.tempering.figures"),
        published=published_option("tempering"),
        system=system_option("tempering"),
    shell:
        "python -m workflows.methods.tempering.figures --model {wildcards.model}{params.published} --observables {input.observables}"
        " --crossings {input.crossings} --output results/{wildcards.study}/plots{params.system}"
        " > {log} 2>&1"


rule plot_boundary:
    input:
        boundary="results/{study}/tables/boundary.csv",
    output:
        "results/{study}/plots/{model}_boundary.svg",
    log:
        "results/{study}/logs/plot_boundary/{model}.log",
    benchmark:
        "results/{study}/benchmarks/plot_boundary/{model}.tsv"
    wildcard_constraints:
        model="[a-z0-9]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.figures.boundary"),
    shell:
        "python -m workflows.figures.boundary {input.boundary} --model {wildcards.model}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_sweep:
    input:
        observables="results/{study}/tables/observables.csv",
    output:
        "results/{study}/plots/{sweep}_sweep.svg",
    log:
        "results/{study}/logs/plot_sweep/{sweep}.log",
    benchmark:
        "results/{study}/benchmarks/plot_sweep/{sweep}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.methods.equilibrium.sweep"),
        parts=lambda wildcards: [part.name for part in STUDY.parts_of_sweeps[wildcards.sweep]],
    shell:
        "python -m workflows.methods.equilibrium.sweep {input.observables} --parts {params.parts} --sweep {wildcards.sweep}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_overlaps:
    input:
        tables=lambda wildcards: overlap_tables(STUDY.parts[wildcards.part]),
    output:
        figure="results/{study}/plots/{part}_overlaps.svg",
    log:
        "results/{study}/logs/plot_overlaps/{part}.log",
    benchmark:
        "results/{study}/benchmarks/plot_overlaps/{part}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.methods.tempering.overlaps"),
    shell:
        "python -m workflows.methods.tempering.overlaps {input.tables} --part {wildcards.part}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"


rule plot_line:
    input:
        curves="results/{study}/tables/line_curves.csv",
        crossings="results/{study}/tables/line.csv",
    output:
        "results/{study}/plots/{line}_line.svg",
    log:
        "results/{study}/logs/plot_line/{line}.log",
    benchmark:
        "results/{study}/benchmarks/plot_line/{line}.tsv"
    wildcard_constraints:
        line="[a-z0-9_.-]+",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.line.figures"),
    shell:
        "python -m workflows.line.figures --curves {input.curves} --crossings {input.crossings} --line {wildcards.line}"
        " --output results/{wildcards.study}/plots > {log} 2>&1"
