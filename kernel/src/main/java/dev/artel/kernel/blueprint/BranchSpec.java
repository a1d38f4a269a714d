package dev.artel.kernel.blueprint;

/// One line of a fork.
///
/// @param start the state in which it begins
public record BranchSpec(String start) {}
