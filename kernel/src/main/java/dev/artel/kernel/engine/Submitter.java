package dev.artel.kernel.engine;

import dev.artel.kernel.job.ClientPlan;

/// A client as it is when it begins a job.
///
/// @param clientPlan what the handlers of its job go by
/// @param maxPriority the highest priority that its jobs may have; infinity: any
public record Submitter(String client, ClientPlan clientPlan, double maxPriority) {}
