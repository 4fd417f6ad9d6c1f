"""Style of all figures. The figures of a model are in its own subpackage."""
