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
/// @param terms what its client was entitled to when it submitted it
public record JobSpec(
        BlueprintRef blueprint,
        String start,
        String client,
        JobData initialData,
        JobOptions options,
        int rules,
        ClientTerms terms) {
    /// A job of a client of which nothing is known.
    public JobSpec(
            BlueprintRef blueprint,
            String start,
            String client,
            JobData initialData,
            JobOptions options,
            int rules) {
        this(blueprint, start, client, initialData, options, rules, ClientTerms.UNKNOWN);
    }

    /// The version of the rules that this code has.
    public static final int CURRENT_RULES = 1;
}
