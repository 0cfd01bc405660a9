// Nothing: the headers of the test library are precompiled beside it.
