"""Records of a run, and the files, plots and pages made from them."""
