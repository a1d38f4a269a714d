package dev.artel.simulation.judges;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Outcomes;
import dev.artel.simulation.world.World;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// The part of the [Ledger] that judges what jobs do to each other.
final class ChildInvariants {
    private final World world;
    private final Function<JobId, Optional<Job>> folds;
    private final Map<Birth, JobId> born = new HashMap<>();
    private final Map<Birth, Boolean> ended = new HashMap<>();
    private final Set<Birth> refused = new HashSet<>();

    /// Those that received a cancel; some go on in a state that their author has named for that.
    private final Set<JobId> cancelRequested = new HashSet<>();

    private record Birth(JobId parent, EffectId start) {}

    /// @param folds the durable jobs
    ChildInvariants(World world, Function<JobId, Optional<Job>> folds) {
        this.world = world;
        this.folds = folds;
    }

    void begun(JobId job, JobSpec spec) {
        if (spec.parentLink().isEmpty()) {
            return;
        }
        var parentLink = spec.parentLink().get();
        var known = childOf(parentLink);
        if (known.isEmpty()) {
            throw world.failure("job " + job + " begins before it is durable that it is wanted");
        }
        var twin = born.putIfAbsent(new Birth(parentLink.parent(), parentLink.start()), job);
        if (twin != null) {
            throw world.failure("one child is two jobs, " + twin + " and " + job);
        }
        if (!known.get().id().equals(job)) {
            throw world.failure("child " + known.get() + " begins as job " + job);
        }
        if (known.get().state() instanceof Child.Planned
                || known.get().state() instanceof Child.Withdrawn) {
            throw world.failure("child " + known.get() + " begins before its turn");
        }
        if (!known.get().spec().initialData().equals(spec.initialData())) {
            throw world.failure("child " + known.get() + " begins with " + spec.initialData());
        }
        checkTrace(job, spec, parentLink.parent());
        if (parentLink.path().size() > parentLink.depth()) {
            throw world.failure("job " + job + " is too deep: " + parentLink);
        }
        var limit =
                folds.apply(parentLink.parent())
                        .flatMap(parent -> parent.spec().options().deadline());
        if (parentLink.mode().isAwaited()
                && limit.isPresent()
                && spec.options().deadline().filter(at -> !at.isAfter(limit.get())).isEmpty()) {
            throw world.failure("job " + job + " may outlive its parent's deadline " + limit.get());
        }
    }

    /// A job that comes of another is a part of the same trace.
    void checkTrace(JobId job, JobSpec spec, JobId other) {
        folds.apply(other)
                .map(it -> it.spec().options().trace())
                .filter(trace -> !trace.equals(spec.options().trace()))
                .ifPresent(trace -> {
                    throw world.failure(
                            "job "
                                    + job
                                    + " comes of job "
                                    + other
                                    + " and is not a part of its trace "
                                    + trace);
                });
    }

    private Optional<Child> childOf(ParentLink parentLink) {
        return folds.apply(parentLink.parent())
                .filter(parent -> parentLink.child() < parent.children().children().size())
                .map(parent -> parent.children().children().get(parentLink.child()))
                .filter(child -> child.start().equals(parentLink.start()));
    }

    void started(Job parent, int number) {
        var child = parent.children().children().get(number);
        if (folds.apply(child.id()).isEmpty()) {
            throw world.failure("child " + child + " has begun and is not durable");
        }
    }

    void ended(Job parent, JobEvent.ChildEnded event) {
        var child = parent.children().children().get(event.child());
        var finished = event.report().outcome().equals(Outcomes.FINISHED);
        if (ended.putIfAbsent(new Birth(parent.id(), child.start()), finished) != null) {
            throw world.failure("job " + parent.id() + " hears twice of the end of " + child);
        }
        var job = folds.apply(child.id());
        var outcome = event.report().outcome();
        if (job.isEmpty() || !isTrue(outcome, job.get())) {
            throw world.failure(
                    "job "
                            + parent.id()
                            + " is notified of "
                            + outcome
                            + ", and its child is "
                            + job);
        }
        if (event.report().steps() > child.steps()) {
            throw world.failure("child " + child + " took more steps than it had: " + event);
        }
    }

    void refused(Job parent, int number) {
        var child = parent.children().children().get(number);
        if (folds.apply(child.id()).isPresent()) {
            throw world.failure("child " + child + " has begun, and is taken to be refused");
        }
        refused.add(new Birth(parent.id(), child.start()));
    }

    /// Many children are gathered: enough of them have ended, and the state is the one that follows.
    void joined(Job parent, int branch, String state, StepCause.ChildrenJoined joined) {
        if (joined.count() == 0) {
            return;
        }
        if (!(parent.branches().get(branch).doing() instanceof Branch.AwaitingChildren(var group))
                || group.first() != joined.first()
                || group.count() != joined.count()) {
            throw world.failure("job " + parent.id() + " did not wait for " + joined);
        }
        var finished = 0;
        var failed = 0;
        for (var i = 0; i < joined.count(); i++) {
            var child = parent.children().children().get(joined.first() + i);
            var birth = new Birth(parent.id(), child.start());
            var how = ended.get(birth);
            finished += how != null && how ? 1 : 0;
            failed += refused.contains(birth) || (how != null && !how) ? 1 : 0;
        }
        var next =
                switch (JoinPolicy.judge(group.policy(), group.count(), finished, failed)) {
                    case WAIT -> Optional.<String>empty();
                    case JOINED -> Optional.of(group.join());
                    case FAILED -> group.otherwise();
                };
        if (!next.equals(Optional.of(state))) {
            throw world.failure(
                    "job "
                            + parent.id()
                            + " enters "
                            + state
                            + " when "
                            + finished
                            + " have finished and "
                            + failed
                            + " have not, of "
                            + group);
        }
    }

    private static boolean isTrue(String outcome, Job job) {
        // A person may have looked after it since.
        return outcome.equals(ChildReport.QUARANTINED)
                || switch (job.phase()) {
                    case Job.Ended(JobOutcome.Finished _, var _) ->
                            outcome.equals(Outcomes.FINISHED);
                    case Job.Ended(JobOutcome.Failed _, var _) -> outcome.equals(Outcomes.FAILED);
                    case Job.Ended(JobOutcome.Cancelled _, var _) ->
                            outcome.equals(Outcomes.CANCELLED);
                    case Job.Quarantined _, Job.Cancelling _, Job.Active _ -> false;
                };
    }

    void informed(Job child) {
        if (world.isWatchedOnly()) {
            return;
        }
        var parentLink = child.spec().parentLink().orElseThrow();
        var link = childOf(parentLink);
        if (link.isPresent() && !(link.get().state() instanceof Child.Ended)) {
            throw world.failure(
                    "job " + child.id() + " has notified its parent, which knows " + link.get());
        }
    }

    void stopped(Job parent, int number) {
        if (world.isWatchedOnly()) {
            return;
        }
        var child = parent.children().children().get(number);
        var job = folds.apply(child.id());
        if (job.isPresent()
                && !job.get().isFinal()
                && job.get().compensationLog().running().isEmpty()
                && !cancelRequested.contains(child.id())) {
            throw world.failure("child " + child + " is taken to be cancelled and is " + job.get());
        }
    }

    void cancelRequested(JobId job) {
        cancelRequested.add(job);
    }

    boolean willNotifyParent(JobId job, JobId parent) {
        return folds.apply(job)
                .filter(child ->
                        !child.isFinal() || child.children().parentNotification().isPresent())
                .flatMap(child -> child.spec().parentLink())
                .filter(parentLink -> parentLink.parent().equals(parent))
                .isPresent();
    }

    void checkAll(Collection<JobId> jobs) {
        var steps = new HashMap<JobId, Integer>();
        var renewed = new HashSet<JobId>();
        for (var id : jobs) {
            var job = folds.apply(id).orElseThrow();
            var first = firstThatIsWaitedFor(job);
            steps.merge(first, job.entered(), Integer::sum);
            if (job.guardBaseline().run() > 0) {
                renewed.add(first);
            }
            for (var child : job.children().children()) {
                switch (child.state()) {
                    case Child.Ended _,
                            Child.Refused _,
                            Child.Withdrawn _,
                            Child.Free _,
                            Child.Stopped _ -> {}
                    case Child.Planned _,
                            Child.Asked _,
                            Child.Unwanted _,
                            Child.Running _,
                            Child.Stopping _ ->
                            throw world.failure("all is over, and job " + id + " has " + child);
                }
            }
        }
        steps.forEach((first, taken) -> {
            var job = folds.apply(first).orElseThrow();
            // One that waits for no children is no tree, and each run has an allowance of its own.
            if (!renewed.contains(first) && taken > job.stepsAllowed() && taken > job.entered()) {
                throw world.failure(
                        "the tree of "
                                + first
                                + " took "
                                + taken
                                + " steps of "
                                + job.stepsAllowed());
            }
        });
    }

    /// A child that lives by itself has an allowance of its own, and so have those for which it waits.
    private JobId firstThatIsWaitedFor(Job job) {
        var parentLink = job.spec().parentLink().filter(it -> it.mode().isAwaited());
        return parentLink.isEmpty()
                ? job.id()
                : firstThatIsWaitedFor(folds.apply(parentLink.get().parent()).orElseThrow());
    }
}
