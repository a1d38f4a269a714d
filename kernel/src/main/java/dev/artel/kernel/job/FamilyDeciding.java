package dev.artel.kernel.job;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.JobCommand.ConfirmChild;
import dev.artel.kernel.job.JobCommand.ConfirmStop;
import dev.artel.kernel.job.JobCommand.ConfirmTelling;
import dev.artel.kernel.job.JobCommand.EndChild;
import dev.artel.kernel.job.JobCommand.RefuseChild;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/// The part of [Deciding] that is about other jobs.
final class FamilyDeciding {
    /// How much of a child's reason its parent repeats.
    private static final int LONGEST_REASON = 1_000;

    /// Of what is left for a child that is waited for the parent keeps one part in so many, in case a person takes the parent
    /// back while the child lives.
    private static final int PARTS = 10;

    private final Deciding deciding;

    FamilyDeciding(Deciding deciding) {
        this.deciding = deciding;
    }

    // Starting

    void run(int strand, Action.RunBlueprint action, Instant at) {
        var job = deciding.job();
        var steps = share(job, action);
        var problem = problem(job, action, steps);
        var limit = job.spec().options().deadline();
        var wanted = action.within().map(at::plus);
        var deadline =
                action.mode().isAwaited() && limit.isPresent()
                        ? wanted.filter(limit.get()::isAfter).or(() -> limit)
                        : wanted;
        var spec =
                new ChildSpec(
                        action.blueprint(),
                        action.version(),
                        action.initialData(),
                        action.labels(),
                        deadline,
                        action.mode(),
                        action.as());
        var number = job.family().children().size();
        deciding.emit(
                new JobEvent.ChildRequested(
                        strand, spec, problem.isPresent() ? 0 : steps, action.on(), at));
        problem.ifPresent(reason -> refuse(number, reason, at));
    }

    /// What is left is shared by the strands that may still want some of it. A child that lives by itself takes none of it.
    private static int share(Job job, Action.RunBlueprint action) {
        if (!action.mode().isAwaited()) {
            return action.steps().orElse(Lineage.AS_ITS_BLUEPRINT_ALLOWS);
        }
        var left = Math.max(0, job.stepsAllowed() - job.steps());
        if (action.steps().isPresent()) {
            return Math.min(left, action.steps().get());
        }
        var others = 0;
        for (var strand : job.strands()) {
            switch (strand.doing()) {
                case Strand.Over _, Strand.AwaitingBranches _, Strand.AwaitingChild _ -> {}
                // That of the action itself is stopped at this moment.
                case Strand.Stopped _ -> {}
                case Strand.Stepping _,
                        Strand.BackingOff _,
                        Strand.AwaitingTask _,
                        Strand.AwaitingTasks _,
                        Strand.AwaitingSignal _,
                        Strand.AwaitingApproval _,
                        Strand.Waiting _ ->
                        others++;
            }
        }
        var shared = left - left / PARTS;
        return left == 0 ? 0 : Math.max(1, shared / (others + 1));
    }

    private static Optional<String> problem(Job job, Action.RunBlueprint action, int steps) {
        var path = FamilyEffects.path(job.spec());
        var depth =
                job.spec().lineage().map(Lineage::depth).orElse(job.spec().guards().treeDepth());
        if (path.size() > depth) {
            return Optional.of(
                    tree(job)
                            + " may have "
                            + depth
                            + " generations below its root, and "
                            + String.join(" > ", path)
                            + " has them all; "
                            + cycle(path, action.blueprint())
                                    .map(cycle -> "end the cycle " + cycle)
                                    .orElse("allow more in the guards of the root's blueprint"));
        }
        if (steps < 1 && action.mode().isAwaited()) {
            return Optional.of(
                    tree(job)
                            + " may take "
                            + job.stepsAllowed()
                            + " steps in this job and below it, and has taken or allotted "
                            + job.steps()
                            + "; allot fewer with withSteps, or allow more in the guards of the"
                            + " root's blueprint");
        }
        return Optional.empty();
    }

    /// That the steps of a tree are spent.
    static String spent(Job job, String state) {
        return tree(job)
                + " may take "
                + job.stepsAllowed()
                + " steps in this job and below it, and all are taken or allotted; state "
                + state
                + " is not entered. End what goes round, or allow more in the guards of the root's"
                + " blueprint";
    }

    static String tree(Job job) {
        return "the tree of job " + job.spec().lineage().map(Lineage::root).orElse(job.id());
    }

    private static Optional<String> cycle(Iterable<String> path, String next) {
        var cycle = new ArrayList<String>();
        for (var name : path) {
            if (name.equals(next)) {
                cycle.clear();
            } else if (cycle.isEmpty()) {
                continue;
            }
            cycle.add(name);
        }
        if (cycle.isEmpty()) {
            return Optional.empty();
        }
        cycle.add(next);
        return Optional.of(String.join(" > ", cycle));
    }

    Decision confirm(Job job, ConfirmChild c) {
        return isToStart(job, c.child(), c.start())
                ? begun(c.child(), c.at())
                : stale(job, c.start());
    }

    private Decision begun(int number, Instant at) {
        deciding.emit(new JobEvent.ChildStarted(number, at));
        var child = deciding.job().family().children().get(number);
        if (child.state() instanceof Child.Free) {
            after(child, Outcomes.STARTED, Optional.empty(), at);
        }
        return deciding.accepted();
    }

    Decision refuse(Job job, RefuseChild c) {
        if (!isToStart(job, c.child(), c.start())) {
            return stale(job, c.start());
        }
        refuse(c.child(), c.reason(), c.at());
        deciding.left(c.at());
        return deciding.accepted();
    }

    private void refuse(int number, String reason, Instant at) {
        deciding.emit(new JobEvent.ChildRefused(number, reason, at));
        var child = deciding.job().family().children().get(number);
        after(child, Outcomes.FAILED, Optional.of("could not be started: " + reason), at);
    }

    private static boolean isToStart(Job job, int number, EffectId start) {
        return find(job, number, start)
                .filter(child ->
                        child.state() instanceof Child.Asked
                                || child.state() instanceof Child.Unwanted)
                .isPresent();
    }

    private static Optional<Child> find(Job job, int number, EffectId start) {
        var children = job.family().children();
        return number >= 0 && number < children.size() && children.get(number).start().equals(start)
                ? Optional.of(children.get(number))
                : Optional.empty();
    }

    // Ending

    Decision end(Job job, EndChild c) {
        var found = find(job, c.child(), c.start());
        if (found.isEmpty()) {
            return stale(job, c.start());
        }
        switch (found.get().state()) {
            case Child.Ended _, Child.Refused _, Child.Free _ -> {
                return deciding.accepted();
            }
            case Child.Asked _, Child.Unwanted _ -> {
                // It was quicker than the word that it began.
                var _ = begun(c.child(), c.at());
            }
            case Child.Running _, Child.Stopping _, Child.Stopped _ -> {}
        }
        if (deciding.job().family().children().get(c.child()).state() instanceof Child.Free) {
            return deciding.accepted();
        }
        deciding.emit(new JobEvent.ChildEnded(c.child(), c.report(), c.at()));
        var outcome = c.report().outcome();
        after(found.get(), outcome, c.report().reason().map(why -> outcome + ": " + why), c.at());
        deciding.left(c.at());
        return deciding.accepted();
    }

    private void after(Child child, String outcome, Optional<String> problem, Instant at) {
        var job = deciding.job();
        var strand = job.strands().get(child.strand());
        if (job.isFinal()
                || job.phase() instanceof Job.Cancelling
                || !(strand.doing() instanceof Strand.AwaitingChild(int awaited, var on))
                || awaited != child.number()) {
            return;
        }
        var next =
                on.after(outcome)
                        .or(() ->
                                problem.isPresent() ? on.after(Outcomes.FAILED) : Optional.empty());
        if (next.isPresent()) {
            var cause = new StepCause.ChildEnded(child.number(), outcome);
            deciding.enter(strand.id(), next.get(), cause, at);
        } else {
            deciding.failStrand(strand.id(), failure(child, outcome, problem), true, at);
        }
    }

    private static String failure(Child child, String outcome, Optional<String> problem) {
        var text =
                "child "
                        + child.number()
                        + " (job "
                        + child.id()
                        + " of blueprint "
                        + child.spec().blueprint()
                        + ") "
                        + problem.orElse("ended as " + outcome + ", which leads nowhere");
        return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + "...";
    }

    // What was told

    Decision confirm(Job job, ConfirmStop c) {
        if (c.child() >= 0
                && c.child() < job.family().children().size()
                && job.family().children().get(c.child()).state()
                        instanceof Child.Stopping(var stop)
                && stop.equals(c.stop())) {
            deciding.emit(new JobEvent.ChildStopped(c.child(), c.at()));
            return deciding.accepted();
        }
        return stale(job, c.stop());
    }

    Decision confirm(Job job, ConfirmTelling c) {
        if (job.family().telling().filter(telling -> telling.id().equals(c.telling())).isEmpty()) {
            return stale(job, c.telling());
        }
        deciding.emit(new JobEvent.ParentInformed(c.at()));
        return deciding.accepted();
    }

    private static Decision stale(Job job, EffectId effect) {
        return new Decision.Rejected(
                Reason.STALE_EFFECT,
                "job " + job.id() + ": effect " + effect + " is no longer waited for");
    }
}
