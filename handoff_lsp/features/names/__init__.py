"""The graph of names: definition, references, rename, links, workspace symbols."""
