package dev.artel.kernel.rules;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand.ConfirmChild;
import dev.artel.kernel.job.JobCommand.ConfirmParentNotified;
import dev.artel.kernel.job.JobCommand.ConfirmStop;
import dev.artel.kernel.job.JobCommand.EndChild;
import dev.artel.kernel.job.JobCommand.RefuseChild;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Outcomes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/// Decides what comes of the children of a job, and of the reports between it and its parent.
final class ChildDecider {
    /// How much of a child's reason its parent repeats.
    private static final int LONGEST_REASON = 1_000;

    /// Of what is left for a child that is waited for the parent keeps one part in so many, in case a person takes the parent
    /// back while the child lives.
    private static final int PARTS = 10;

    private final Draft draft;
    private final Deciders deciders;

    ChildDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    // Starting

    void run(int branch, Action.RunBlueprint action, Instant at) {
        var job = draft.job();
        var tooMany = GuardChecks.tooManyChildren(job, 1);
        if (tooMany.isPresent()) {
            deciders.branches().fail(branch, tooMany.get(), false, at);
            return;
        }
        var steps = share(job, action);
        var problem =
                tooDeep(job, action.blueprint())
                        .or(() ->
                                steps < 1 && action.mode().isAwaited()
                                        ? Optional.of(withoutSteps(job))
                                        : Optional.empty())
                        .or(() -> withoutBudget(job, action, 1));
        var spec =
                spec(
                        job,
                        action,
                        problem.isPresent() ? Optional.empty() : budget(job, action, 1),
                        at);
        var number = job.children().children().size();
        draft.emit(
                new JobEvent.ChildRequested(
                        branch, spec, problem.isPresent() ? 0 : steps, action.on(), at));
        problem.ifPresent(reason -> refuse(number, reason, at));
    }

    /// Many of one blueprint; each gets an equal part of what one would get.
    void runAll(int branch, Action.RunBlueprints action, Instant at) {
        var job = draft.job();
        var count = action.initialData().size();
        var tooMany = GuardChecks.tooManyChildren(job, count);
        if (tooMany.isPresent()) {
            deciders.branches().fail(branch, tooMany.get(), false, at);
            return;
        }
        var group =
                JoinState.of(
                        job.children().children().size(),
                        count,
                        action.window(),
                        action.policy(),
                        action.join(),
                        action.otherwise());
        var nothing = new StepCause.ChildrenJoined(group.first(), 0);
        var steps =
                action.each()
                        .steps()
                        .orElseGet(() -> share(job, action.each()) / Math.max(1, count));
        if (group.progress() == JoinPolicy.Progress.WAIT) {
            var problem =
                    tooDeep(job, action.each().blueprint())
                            .or(() -> tooMany(job, count, steps))
                            .or(() -> withoutBudget(job, action.each(), count));
            if (problem.isPresent()) {
                deciders.branches()
                        .orElseFail(
                                branch,
                                group,
                                nothing,
                                Counts.of(count)
                                        + " children of blueprint "
                                        + action.each().blueprint()
                                        + " cannot be started: "
                                        + problem.get(),
                                true,
                                at);
                return;
            }
        }
        var requested =
                new JobEvent.ChildrenRequested(
                        branch,
                        spec(job, action.each(), budget(job, action.each(), count), at),
                        action.initialData(),
                        steps,
                        action.window(),
                        action.policy(),
                        action.join(),
                        action.otherwise(),
                        at);
        deciders.branches().begin(branch, group, requested, nothing, at);
    }

    private static ChildSpec spec(
            Job job, Action.RunBlueprint action, Optional<Budget> budget, Instant at) {
        var limit = job.spec().options().deadline();
        var wanted = action.within().map(at::plus);
        var deadline =
                action.mode().isAwaited() && limit.isPresent()
                        ? wanted.filter(limit.get()::isAfter).or(() -> limit)
                        : wanted;
        return new ChildSpec(
                action.blueprint(),
                action.version(),
                action.initialData(),
                action.labels(),
                deadline,
                action.mode(),
                action.as(),
                budget);
    }

    /// What is left is shared by the branches that may still want some of it. A child that lives by itself takes none of it.
    private static int share(Job job, Action.RunBlueprint action) {
        if (!action.mode().isAwaited()) {
            return action.steps().orElse(ParentLink.AS_ITS_BLUEPRINT_ALLOWS);
        }
        var left = left(job);
        if (action.steps().isPresent()) {
            return Math.min(left, action.steps().get());
        }
        var shared = left - left / PARTS;
        return left == 0 ? 0 : Math.max(1, shared / (others(job) + 1));
    }

    /// How many branches beside the one of the action may still want something of what is left.
    private static int others(Job job) {
        var others = 0;
        for (var branch : job.branches()) {
            switch (branch.doing()) {
                case Branch.Over _,
                        Branch.AwaitingBranches _,
                        Branch.AwaitingChild _,
                        Branch.AwaitingChildren _ -> {}
                // That of the action itself is stopped at this moment.
                case Branch.Stopped _ -> {}
                case Branch.Stepping _,
                        Branch.BackingOff _,
                        Branch.AwaitingTask _,
                        Branch.AwaitingTasks _,
                        Branch.AwaitingSignal _,
                        Branch.AwaitingApproval _,
                        Branch.Waiting _ ->
                        others++;
            }
        }
        return others;
    }

    /// What each of `count` children may spend: what the action says, and of what it does not say an equal share of what is left.
    private static Optional<Budget> budget(Job job, Action.RunBlueprint action, int count) {
        if (job.budget().isEmpty() || !action.mode().isAwaited()) {
            return action.budget();
        }
        var ledger = job.budget().get();
        var left = ledger.left();
        var share =
                left.minus(left.dividedBy(PARTS)).dividedBy((others(job) + 1) * Math.max(1, count));
        return Optional.of(
                action.budget()
                        .map(fixed -> fixed.withLimits(fixed.limits().orElse(share)))
                        .orElseGet(() -> ledger.budget().withLimits(share)));
    }

    private static Optional<String> withoutBudget(Job job, Action.RunBlueprint action, int count) {
        return job.budget()
                .filter(_ -> action.mode().isAwaited())
                .flatMap(ledger ->
                        action.budget()
                                .map(fixed -> fixed.limits().finite().times(count))
                                .flatMap(needed ->
                                        ledger.lacking(needed, true)
                                                .map(limit ->
                                                        BudgetDecider.RESOURCE_EXHAUSTED
                                                                + BudgetDecider.lacks(
                                                                        ledger, limit, needed))));
    }

    private static int left(Job job) {
        return Math.max(0, job.stepsAllowed() - job.steps());
    }

    private static Optional<String> tooDeep(Job job, String blueprint) {
        var path = ChildEffects.path(job.spec());
        var depth =
                job.spec()
                        .parentLink()
                        .map(ParentLink::depth)
                        .orElse(job.spec().guards().treeDepth());
        if (path.size() > depth) {
            return Optional.of(
                    tree(job)
                            + " may have "
                            + depth
                            + " generations below its root, and "
                            + String.join(" > ", path)
                            + " has them all; "
                            + cycle(path, blueprint)
                                    .map(cycle -> "end the cycle " + cycle)
                                    .orElse("allow more in the guards of the root's blueprint"));
        }
        return Optional.empty();
    }

    private static String withoutSteps(Job job) {
        return tree(job)
                + " may take "
                + job.stepsAllowed()
                + " steps in this job and below it, and has taken or allotted "
                + job.steps()
                + "; allot fewer with withSteps, or allow more in the guards of the"
                + " root's blueprint";
    }

    private static Optional<String> tooMany(Job job, int count, int steps) {
        var left = left(job);
        return steps >= 1 && (long) steps * count <= left
                ? Optional.empty()
                : Optional.of(
                        tree(job)
                                + " may take "
                                + Counts.of(job.stepsAllowed())
                                + " steps in this job and below it, and "
                                + Counts.of(left)
                                + " are left, where "
                                + Counts.of(count)
                                + " children"
                                + (steps < 1
                                        ? " take one each at least"
                                        : " were to get " + Counts.of(steps) + " each")
                                + "; start fewer in one go, or allow more in the guards of the"
                                + " root's blueprint (withTreeSteps)");
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
        return "the tree of job " + job.spec().parentLink().map(ParentLink::root).orElse(job.id());
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
        draft.emit(new JobEvent.ChildStarted(number, at));
        var child = draft.job().children().children().get(number);
        if (child.state() instanceof Child.Free) {
            after(child, Outcomes.STARTED, Optional.empty(), at);
        }
        return draft.accepted();
    }

    Decision refuse(Job job, RefuseChild c) {
        if (!isToStart(job, c.child(), c.start())) {
            return stale(job, c.start());
        }
        refuse(c.child(), c.reason(), c.at());
        deciders.cancel().left(c.at());
        return draft.accepted();
    }

    private void refuse(int number, String reason, Instant at) {
        draft.emit(new JobEvent.ChildRefused(number, reason, at));
        var child = draft.job().children().children().get(number);
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
        var children = job.children().children();
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
                return draft.accepted();
            }
            case Child.Planned _, Child.Withdrawn _ -> {
                return stale(job, c.start());
            }
            case Child.Asked _, Child.Unwanted _ -> {
                // It was quicker than the word that it began.
                var _ = begun(c.child(), c.at());
            }
            case Child.Running _, Child.Stopping _, Child.Stopped _ -> {}
        }
        if (draft.job().children().children().get(c.child()).state() instanceof Child.Free) {
            return draft.accepted();
        }
        draft.emit(new JobEvent.ChildEnded(c.child(), c.report(), c.at()));
        var outcome = c.report().outcome();
        after(found.get(), outcome, c.report().reason().map(why -> outcome + ": " + why), c.at());
        deciders.cancel().left(c.at());
        return draft.accepted();
    }

    private void after(Child child, String outcome, Optional<String> problem, Instant at) {
        var job = draft.job();
        var branch = job.branches().get(child.branch());
        if (job.isFinal() || job.phase() instanceof Job.Cancelling) {
            return;
        }
        if (branch.doing() instanceof Branch.AwaitingChildren(var group)
                && group.has(child.number())) {
            afterOneOf(branch.id(), group, child, problem, at);
            return;
        }
        if (!(branch.doing() instanceof Branch.AwaitingChild(int awaited, var on))
                || awaited != child.number()) {
            return;
        }
        var next =
                on.after(outcome)
                        .or(() ->
                                problem.isPresent() ? on.after(Outcomes.FAILED) : Optional.empty());
        if (next.isPresent()) {
            var cause = new StepCause.ChildEnded(child.number(), outcome);
            deciders.branches().enter(branch.id(), next.get(), cause, at);
        } else {
            deciders.branches().fail(branch.id(), failure(child, outcome, problem), true, at);
        }
    }

    private void afterOneOf(
            int branch, JoinState group, Child child, Optional<String> problem, Instant at) {
        var cause = new StepCause.ChildrenJoined(group.first(), group.count());
        var rest = new JobEvent.ChildrenWithdrawn(branch, at);
        switch (group.progress()) {
            case WAIT -> {}
            case JOINED -> {
                deciders.branches().stopTheRest(group, rest);
                deciders.branches().enter(branch, group.join(), cause, at);
            }
            case FAILED -> {
                var failure = failure(group, child, problem);
                deciders.branches().stopTheRest(group, rest);
                deciders.branches().orElseFail(branch, group, cause, failure, true, at);
            }
        }
    }

    private String failure(JoinState group, Child last, Optional<String> problem) {
        var children = draft.job().children().children();
        var first = group.first();
        while (hasFinished(children.get(first))) {
            first++;
        }
        return Counts.of(group.failed())
                + " of "
                + Counts.of(group.count())
                + " children did not finish; "
                + (problem.isPresent()
                        ? failure(last, Outcomes.FAILED, problem)
                        : "the first of them is child "
                                + first
                                + " (job "
                                + children.get(first).id()
                                + ")");
    }

    private static boolean hasFinished(Child child) {
        return child.state() instanceof Child.Ended(var outcome, int _, var _)
                && outcome.equals(Outcomes.FINISHED);
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

    // Confirmations

    Decision confirm(Job job, ConfirmStop c) {
        if (c.child() >= 0
                && c.child() < job.children().children().size()
                && job.children().children().get(c.child()).state()
                        instanceof Child.Stopping(var stop)
                && stop.equals(c.stop())) {
            draft.emit(new JobEvent.ChildStopped(c.child(), c.at()));
            return draft.accepted();
        }
        return stale(job, c.stop());
    }

    Decision confirm(Job job, ConfirmParentNotified c) {
        if (job.children()
                .parentNotification()
                .filter(parentNotification ->
                        parentNotification.id().equals(c.parentNotification()))
                .isEmpty()) {
            return stale(job, c.parentNotification());
        }
        draft.emit(new JobEvent.ParentNotified(c.at()));
        return draft.accepted();
    }

    private static Decision stale(Job job, EffectId effect) {
        return new Decision.Rejected(
                Reason.STALE_EFFECT,
                "job " + job.id() + ": effect " + effect + " is no longer waited for");
    }
}
