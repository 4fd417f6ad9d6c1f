# From a study file to a report; each stage is one file, workflows/README.md draws the arrows.
from snakemake.utils import min_version

from workflows.status.stop import handle_sigterm_in_a_thread

min_version("9.11")
handle_sigterm_in_a_thread()


include: "workflows/rules/common.smk"


if isinstance(STUDY, Benchmark):

    include: "workflows/rules/benchmark.smk"

elif isinstance(STUDY, Laboratory):

    include: "workflows/rules/laboratory.smk"

else:

    include: "workflows/rules/simulate.smk"
    include: "workflows/rules/temper.smk"
    include: "workflows/rules/reduce.smk"
    include: "workflows/rules/combine.smk"
    include: "workflows/rules/analyse.smk"
    include: "workflows/rules/plot.smk"
    include: "workflows/rules/diagnose.smk"
    include: "workflows/rules/report.smk"


rule all:
    default_target: True
    input:
        f"results/{STUDY.name}/report.html",
        kept_files(),
