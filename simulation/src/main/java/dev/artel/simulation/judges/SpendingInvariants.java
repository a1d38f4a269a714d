package dev.artel.simulation.judges;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Task;
import dev.artel.simulation.world.AttemptCosts;
import dev.artel.simulation.world.World;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The part of the [Ledger] that judges what jobs with a budget spend. It adds up for itself what is reserved, spent and granted.
final class SpendingInvariants {
    private final World world;
    private final Function<BlueprintRef, Optional<Blueprint>> blueprints;
    private final Function<JobId, Optional<Job>> folds;
    private final Map<JobId, Account> accounts = new HashMap<>();

    private static final class Account {
        final Map<LeaseToken, Spending> leases = new HashMap<>();
        final Set<LeaseToken> settled = new HashSet<>();
        final Set<BudgetLimit> warned = EnumSet.noneOf(BudgetLimit.class);
        Spending taken = Spending.NONE;
    }

    SpendingInvariants(
            World world,
            Function<BlueprintRef, Optional<Blueprint>> blueprints,
            Function<JobId, Optional<Job>> folds) {
        this.world = world;
        this.blueprints = blueprints;
        this.folds = folds;
    }

    /// @param state the job before `event`
    void judge(JobId id, JobState state, JobEvent event) {
        if (event instanceof JobEvent.JobSubmitted submitted) {
            submitted(id, submitted);
        }
        if (!(state instanceof Job job) || job.budget().isEmpty()) {
            return;
        }
        var account = accounts.computeIfAbsent(id, _ -> new Account());
        var used = used(job, account);
        if (!used.equals(job.budget().get().used())) {
            throw world.failure(
                    id + " has used " + used + ", and its ledger says " + job.budget().get());
        }
        switch (event) {
            case JobEvent.LeaseGranted granted -> granted(job, account, used, granted);
            case JobEvent.LeaseReturned(int task, var token, var _, var _, var _)
                    when !isParked(job.tasks().get(task)) ->
                    account.taken = account.taken.minus(reserved(account, token));
            case JobEvent.AttemptDropped dropped when dropped.again().isPresent() ->
                    account.taken = account.taken.minus(reserved(account, dropped.token()));
            case JobEvent.AttemptSettled settled -> settled(account, settled);
            case JobEvent.ChildEnded(int child, var report, var _) -> {
                if (job.children().children().get(child).spec().mode().isAwaited()) {
                    account.taken = account.taken.plus(report.spent());
                }
            }
            case JobEvent.BudgetWarned warned -> {
                if (!account.warned.add(warned.limit())) {
                    throw world.failure("it was warned before: " + warned + " of job " + id);
                }
            }
            case JobEvent.BudgetExtended _ -> account.warned.clear();
            default -> {
                // spends nothing
            }
        }
    }

    /// A job may spend no more than its blueprint allows, and no more than its parent grants.
    private void submitted(JobId id, JobEvent.JobSubmitted submitted) {
        var spec = submitted.spec();
        var allowed = blueprints.apply(spec.blueprint()).flatMap(Blueprint::budget);
        var granted =
                spec.parentLink()
                        .flatMap(link ->
                                folds.apply(link.parent())
                                        .map(parent ->
                                                parent.children()
                                                        .children()
                                                        .get(link.child())
                                                        .spec())
                                        .flatMap(ChildSpec::budget));
        if (!Budget.least(Budget.least(spec.budget(), allowed), granted).equals(spec.budget())) {
            throw world.failure(
                    id
                            + " begins with "
                            + spec.budget()
                            + ", its blueprint allows "
                            + allowed
                            + " and its parent grants "
                            + granted);
        }
    }

    private static Spending used(Job job, Account account) {
        var used = account.taken;
        for (var child : job.children().children()) {
            used = used.plus(child.granted());
        }
        return used;
    }

    /// Nothing begins that does not fit, but for what compensates.
    private void granted(Job job, Account account, Spending used, JobEvent.LeaseGranted granted) {
        var task = job.tasks().get(granted.task());
        var reserved = granted.lease().reserved();
        if (!reserved.equals(task.spec().worstCase())) {
            throw world.failure(granted + " reserves something else than " + task.spec());
        }
        var limits = job.budget().orElseThrow().limits();
        for (var limit : BudgetLimit.values()) {
            if (!job.compensationLog().isAt(task.branch())
                    && limits.of(limit) != Spending.UNLIMITED
                    && used.of(limit) + reserved.of(limit) > limits.of(limit)) {
                throw world.failure(
                        granted
                                + " of job "
                                + job.id()
                                + " does not fit into "
                                + limits
                                + ", of which are used "
                                + used);
            }
        }
        account.leases.put(granted.lease().token(), reserved);
        account.taken = account.taken.plus(reserved);
    }

    private void settled(Account account, JobEvent.AttemptSettled settled) {
        var reserved = reserved(account, settled.token());
        var cost =
                AttemptCosts.reported(world, settled.token())
                        .map(Spending::nano)
                        .orElse(reserved.nanoUsd());
        if (!account.settled.add(settled.token())
                || !reserved.equals(settled.reserved())
                || settled.spent().nanoUsd() != cost) {
            throw world.failure(
                    settled
                            + " settles what was reserved as "
                            + reserved
                            + " and has cost "
                            + cost);
        }
        account.taken = account.taken.minus(reserved).plus(settled.spent());
    }

    private Spending reserved(Account account, LeaseToken token) {
        var reserved = account.leases.get(token);
        if (reserved == null) {
            throw world.failure("nothing was reserved under lease " + token);
        }
        return reserved;
    }

    private static boolean isParked(Task task) {
        return task.state() instanceof Task.Open(Attempt.Parked _, int _, var _);
    }
}
