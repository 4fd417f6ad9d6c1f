"""The site: pages of the repository, a gallery of published studies, and reference pages made from the programs, the schema
of studies and the registries."""
