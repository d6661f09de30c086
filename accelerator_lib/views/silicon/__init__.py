"""Pictures of chapter 9: wafers, packages, floor plans."""
