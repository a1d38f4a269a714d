package dev.artel.kernel.job;

import dev.artel.kernel.task.JobData;
import java.util.Optional;

/// What does not change about a job.
///
/// @param blueprint its definition
/// @param start the state in which strand 0 begins
/// @param client who submitted it
/// @param initialData what it was submitted with
/// @param options see there
/// @param rules the version of the rules under which it began
/// @param terms what its client was entitled to when it submitted it
/// @param guards what keeps it from going on for ever
/// @param lineage where it comes from, if another job started it
public record JobSpec(
        BlueprintRef blueprint,
        String start,
        String client,
        JobData initialData,
        JobOptions options,
        int rules,
        ClientTerms terms,
        Guards guards,
        Optional<Lineage> lineage) {
    /// A job that a client submits.
    public JobSpec(
            BlueprintRef blueprint,
            String start,
            String client,
            JobData initialData,
            JobOptions options,
            int rules,
            ClientTerms terms) {
        this(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                terms,
                Guards.DEFAULTS,
                Optional.empty());
    }

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

    /// This with other guards.
    public JobSpec withGuards(Guards others) {
        return new JobSpec(
                blueprint, start, client, initialData, options, rules, terms, others, lineage);
    }

    /// This with other options.
    public JobSpec withOptions(JobOptions others) {
        return new JobSpec(
                blueprint, start, client, initialData, others, rules, terms, guards, lineage);
    }

    /// This as the spec of a child.
    public JobSpec bornOf(Lineage parents) {
        return new JobSpec(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                terms,
                guards,
                Optional.of(parents));
    }

    /// The version of the rules that this code has.
    public static final int CURRENT_RULES = 1;
}
