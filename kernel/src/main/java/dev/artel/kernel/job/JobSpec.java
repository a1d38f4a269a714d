package dev.artel.kernel.job;

import dev.artel.kernel.task.JobData;

/// What does not change about a job.
///
/// @param blueprint its definition
/// @param start the state in which strand 0 begins
/// @param client who submitted it
/// @param initialData what it was submitted with
/// @param options see there
/// @param rules the version of the rules under which it began
public record JobSpec(
        BlueprintRef blueprint,
        String start,
        String client,
        JobData initialData,
        JobOptions options,
        int rules) {
    /// The version of the rules that this code has.
    public static final int CURRENT_RULES = 1;
}
