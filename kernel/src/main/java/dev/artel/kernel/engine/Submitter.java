package dev.artel.kernel.engine;

import dev.artel.kernel.job.ClientTerms;

/// A client as it is when it begins a job.
///
/// @param terms what the handlers of its job go by
/// @param maxPriority the highest priority that its jobs may have; infinity: any
public record Submitter(String client, ClientTerms terms, double maxPriority) {}
