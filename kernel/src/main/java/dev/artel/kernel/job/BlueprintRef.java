package dev.artel.kernel.job;

/// Which definition a job runs.
///
/// @param name the alias under which it was submitted
/// @param version the author's word
/// @param graph the digest of the graph of states, with which the job stays
public record BlueprintRef(String name, String version, String graph) {}
