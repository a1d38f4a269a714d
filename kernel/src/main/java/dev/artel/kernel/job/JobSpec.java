package dev.artel.kernel.job;

import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.JobData;
import java.util.Optional;

/// What does not change about a job.
///
/// @param blueprint its definition
/// @param start the state in which branch 0 begins
/// @param client who submitted it
/// @param initialData what it was submitted with
/// @param options see there
/// @param rules the version of the rules under which it began
/// @param clientPlan what its client was entitled to when it submitted it
/// @param guards what keeps it from going on forever
/// @param parentLink where it comes from, if another job started it
/// @param cancelState the state that handles a cancel, see [dev.artel.kernel.blueprint.Blueprint.Builder#onCancel]; empty: a cancel ends it
/// @param budget what it may spend, as its blueprint and its submission set it; empty: that is not counted
public record JobSpec(
        BlueprintRef blueprint,
        String start,
        String client,
        JobData initialData,
        JobOptions options,
        int rules,
        ClientPlan clientPlan,
        Guards guards,
        Optional<ParentLink> parentLink,
        Optional<String> cancelState,
        Optional<Budget> budget) {
    /// A job without a budget.
    public JobSpec(
            BlueprintRef blueprint,
            String start,
            String client,
            JobData initialData,
            JobOptions options,
            int rules,
            ClientPlan clientPlan,
            Guards guards,
            Optional<ParentLink> parentLink,
            Optional<String> cancelState) {
        this(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                clientPlan,
                guards,
                parentLink,
                cancelState,
                Optional.empty());
    }

    /// A job that a client submits.
    public JobSpec(
            BlueprintRef blueprint,
            String start,
            String client,
            JobData initialData,
            JobOptions options,
            int rules,
            ClientPlan clientPlan) {
        this(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                clientPlan,
                Guards.DEFAULTS,
                Optional.empty(),
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
        this(blueprint, start, client, initialData, options, rules, ClientPlan.UNKNOWN);
    }

    /// Whether `name` is the client that submitted it, or had a part in that.
    public boolean isSubmitter(String name) {
        return name.equals(client) || options.requestedBy().contains("client " + name);
    }

    /// This with another definition.
    public JobSpec withBlueprint(BlueprintRef other) {
        return new JobSpec(
                other,
                start,
                client,
                initialData,
                options,
                rules,
                clientPlan,
                guards,
                parentLink,
                cancelState,
                budget);
    }

    /// This with other guards.
    public JobSpec withGuards(Guards others) {
        return new JobSpec(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                clientPlan,
                others,
                parentLink,
                cancelState,
                budget);
    }

    /// This with a state that handles a cancel, or none.
    public JobSpec withCancelState(Optional<String> state) {
        return new JobSpec(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                clientPlan,
                guards,
                parentLink,
                state,
                budget);
    }

    /// This with other options.
    public JobSpec withOptions(JobOptions others) {
        return new JobSpec(
                blueprint,
                start,
                client,
                initialData,
                others,
                rules,
                clientPlan,
                guards,
                parentLink,
                cancelState,
                budget);
    }

    /// This with a budget, or without one.
    public JobSpec withBudget(Optional<Budget> other) {
        return new JobSpec(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                clientPlan,
                guards,
                parentLink,
                cancelState,
                other);
    }

    /// This as the spec of a child.
    public JobSpec bornOf(ParentLink parents) {
        return new JobSpec(
                blueprint,
                start,
                client,
                initialData,
                options,
                rules,
                clientPlan,
                guards,
                Optional.of(parents),
                cancelState,
                budget);
    }

    /// The version of the rules that this code has. It goes up when the same events come to mean something else: a store refuses to
    /// read a job that was submitted under a later one, so that an older Artel does not continue it by other rules. The rules of
    /// earlier versions are not kept.
    public static final int CURRENT_RULES = 1;
}
