# Analyses of several sizes or times at once: crossings of phenomenological couplings, power laws in time, exact results.


rule crossing:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        reduced=reduced_near_crossing,
    output:
        table="results/{study}/tables/{part}/crossing_{observable}.csv",
    log:
        "results/{study}/logs/crossing/{part}_{observable}.log",
    benchmark:
        "results/{study}/benchmarks/crossing/{part}_{observable}.tsv"
    wildcard_constraints:
        observable="U4|xi_over_L",
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("crossing"),
        options=crossing_options,
    shell:
        "{input.analysis} crossing {input.reduced} --observable {wildcards.observable} {params.options}"
        " --output {output.table} > {log} 2>&1"


rule boundary:
    input:
        crossings=crossings_of_boundary(),
    output:
        table="results/{study}/tables/boundary.csv",
    log:
        "results/{study}/logs/boundary.log",
    benchmark:
        "results/{study}/benchmarks/boundary.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=10,
        mem_mb=2000,
    params:
        code=module_fingerprint("workflows.tables.boundary"),
        parts=STUDY.keys_of_boundary,
    shell:
        "python -m workflows.tables.boundary {input.crossings} --parts {params.parts:q} --output {output.table}"
        " > {log} 2>&1"


# Both rules below read block sums by the package psflip of analysis/python.


rule identities:
    input:
        study="results/{study}/study.json",
        observables="results/{study}/tables/observables.csv",
        reduced=reduced_of_parts(STUDY.parts_with_identities),
    output:
        table="results/{study}/tables/identities.csv",
    log:
        "results/{study}/logs/identities.log",
    benchmark:
        "results/{study}/benchmarks/identities.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        code=module_fingerprint(
            "workflows.identities.table", "analysis/python/psflip/*.py", "workflows/models/*/exact.py"
        ),
    shell:
        "PYTHONPATH=analysis/python python -m workflows.identities.table --study {input.study}"
        " --observables {input.observables} --output {output.table} > {log} 2>&1"


rule line:
    input:
        study="results/{study}/study.json",
        observables="results/{study}/tables/observables.csv",
        reduced=reduced_of_parts(part for parts in STUDY.nishimori_lines.values() for part in parts),
    output:
        crossings="results/{study}/tables/line.csv",
        curves="results/{study}/tables/line_curves.csv",
    log:
        "results/{study}/logs/line.log",
    benchmark:
        "results/{study}/benchmarks/line.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        code=module_fingerprint("workflows.line.table", "analysis/python/psflip/*.py"),
    shell:
        "PYTHONPATH=analysis/python python -m workflows.line.table --study {input.study}"
        " --observables {input.observables} --output {output.crossings} --curves {output.curves} > {log} 2>&1"


rule critical:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        reduced=reduced_of_critical,
    output:
        fits="results/{study}/tables/critical.csv",
        readings="results/{study}/tables/clock.csv",
    log:
        "results/{study}/logs/critical.log",
    benchmark:
        "results/{study}/benchmarks/critical.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("critical"),
        clocks=lambda wildcards: ",".join(str(clock) for clock in STUDY.critical["clocks"]),
        omegas=lambda wildcards: ",".join(str(omega) for omega in STUDY.critical["omegas"]),
        degrees=lambda wildcards: ",".join(str(degree) for degree in STUDY.critical["degrees"]),
        together=lambda wildcards: together_options(),
    shell:
        "{input.analysis} critical {input.reduced} --clock {params.clocks} --omega {params.omegas}"
        " --degree {params.degrees} {params.together} --readings {output.readings} --output {output.fits} > {log} 2>&1"


rule dynamics:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        reduced=reduced_of_run,
    output:
        table="results/{study}/tables/{part}/dynamics_L{L}_T{T}.csv",
    log:
        "results/{study}/logs/dynamics/{part}_L{L}_T{T}.log",
    benchmark:
        "results/{study}/benchmarks/dynamics/{part}_L{L}_T{T}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("dynamics"),
        first=lambda wildcards: STUDY.parts[wildcards.part].fit["from"],
        last=lambda wildcards: STUDY.parts[wildcards.part].fit["to"],
        eta=eta_option,
    shell:
        "{input.analysis} dynamics {input.reduced} --fit-from {params.first} --fit-to {params.last}{params.eta}"
        " --scan --output {output.table} > {log} 2>&1"


rule overlaps:
    input:
        analysis=ancient("build/bin/psflip-analysis"),
        shards=shards_of_size,
    output:
        table="results/{study}/tables/{part}/overlaps_L{L}.csv",
    log:
        "results/{study}/logs/overlaps/{part}_L{L}.log",
    benchmark:
        "results/{study}/benchmarks/overlaps/{part}_L{L}.tsv"
    conda:
        "../environment/conda.yaml"
    threads: 1
    resources:
        runtime=60,
        mem_mb=4000,
    params:
        analysis=analysis_fingerprint("overlaps"),
        blocks=blocks_of_overlaps,
    shell:
        "{input.analysis} overlaps {input.shards}{params.blocks} --output {output.table} > {log} 2>&1"
