package dev.artel.kernel.rules;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Replacement;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand.CompleteStep;
import dev.artel.kernel.job.JobCommand.FailStep;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Instant;
import java.util.Optional;

/// Decides what comes of the steps of a job: what a handler wants to happen next, and how often one that fails is run again.
final class StepDecider {
    private static final double NO_JITTER = 0.5;

    private final Draft draft;
    private final Deciders deciders;

    StepDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    Decision complete(Job job, CompleteStep c) {
        return steppingBy(job, c.step())
                .map(branch -> complete(branch, c))
                .orElseGet(() -> stale(job, c.step()));
    }

    Decision fail(Job job, FailStep c) {
        return steppingBy(job, c.step())
                .map(branch -> fail(branch, c))
                .orElseGet(() -> stale(job, c.step()));
    }

    private static Optional<Branch> steppingBy(Job job, EffectId step) {
        if (!job.goesOn()) {
            return Optional.empty();
        }
        for (var branch : job.branches()) {
            if (branch.doing() instanceof Branch.Stepping(var run, var _, int _)
                    && run.equals(step)) {
                return Optional.of(branch);
            }
        }
        return Optional.empty();
    }

    private static Decision stale(Job job, EffectId step) {
        return new Decision.Rejected(
                Reason.STALE_EFFECT,
                "job "
                        + job.id()
                        + ": step "
                        + step
                        + " is no longer waited for; its result is dropped");
    }

    private Decision complete(Branch branch, CompleteStep c) {
        var id = branch.id();
        if (c.action() instanceof Action.ReplaceDefinition && draft.job().lingering() > 0) {
            return fail(branch, later(branch, c));
        }
        var changes =
                c.action() instanceof Action.ContinueAsNew ? JobData.EMPTY : c.action().changes();
        draft.emit(new JobEvent.StepDone(id, c.step(), changes, c.passed(), c.at()));
        var from = c.passed().isEmpty() ? branch.state() : c.passed().getLast();
        perform(branch, from, c.action(), c);
        return draft.accepted();
    }

    /// What workers are to give up counts for the limits of the definition under which they got it.
    private FailStep later(Branch branch, CompleteStep c) {
        return new FailStep(
                c.step(),
                "state "
                        + branch.state()
                        + " replaces the definition of the job while workers have not given up "
                        + Counts.of(draft.job().lingering())
                        + " of its tasks; it is tried again",
                true,
                NO_JITTER,
                Optional.empty(),
                c.at());
    }

    /// The handler is run again as its state sets it, or else as its blueprint does.
    private Decision fail(Branch branch, FailStep c) {
        var stepping = (Branch.Stepping) branch.doing();
        var policy = c.retry().orElse(draft.job().spec().guards().handlerRetry());
        var attempt = stepping.failures() + 1;
        var retryAt = retryAt(c, policy, attempt);
        draft.emit(
                new JobEvent.StepFailed(
                        branch.id(), c.step(), c.message(), attempt, retryAt, c.at()));
        if (retryAt.isEmpty()) {
            deciders.branches()
                    .fail(
                            branch.id(),
                            "the handler of state "
                                    + branch.state()
                                    + " failed "
                                    + Counts.times(attempt)
                                    + ": "
                                    + c.message(),
                            false,
                            c.at());
        }
        return draft.accepted();
    }

    private static Optional<Instant> retryAt(FailStep c, RetryPolicy policy, int attempt) {
        return c.retryable() && attempt < policy.maxAttempts()
                ? Optional.of(c.at().plus(policy.delayAfter(attempt, c.random())))
                : Optional.empty();
    }

    private void perform(Branch branch, String from, Action action, CompleteStep c) {
        var id = branch.id();
        switch (action) {
            case Action.Compensable(var waiting, var by) -> {
                if (!deciders.compensation().isRunning()) {
                    draft.emit(new JobEvent.CompensationRegistered(id, by, c.at()));
                }
                perform(branch, from, waiting, c);
            }
            case Action.TransitionTo(var state, var _) -> {
                if (branch.moves() >= Branch.MOST_MOVES) {
                    deciders.branches()
                            .fail(id, GuardChecks.goesRound(branch, state), true, c.at());
                } else {
                    deciders.branches().enter(id, state, new StepCause.Moved(from), c.at());
                }
            }
            case Action.ContinueAsNew(var state, var data) ->
                    continueAsNew(branch, from, state, data, c.at());
            case Action.ReplaceDefinition(var by, var _) ->
                    replaceDefinition(branch, from, by, c.at());
            case Action.DispatchTask(var task, var on, var _) ->
                    deciders.branches().open(id, task, on, c.at());
            case Action.DispatchParallel parallel -> deciders.branches().open(id, parallel, c.at());
            case Action.Fork fork -> deciders.branches().fork(id, fork, c.at());
            case Action.EndBranch(var failure, var _) ->
                    deciders.branches().end(id, failure, false, c.at());
            case Action.RunBlueprint run -> deciders.children().run(id, run, c.at());
            case Action.RunBlueprints run -> deciders.children().runAll(id, run, c.at());
            case Action.Wait(var duration, var next, var _) ->
                    draft.emit(new JobEvent.WaitBegun(id, c.at().plus(duration), next, c.at()));
            case Action.WaitUntil(var instant, var next, var _) ->
                    draft.emit(new JobEvent.WaitBegun(id, instant, next, c.at()));
            case Action.AwaitSignal wait -> deciders.signals().await(id, wait, c.at());
            case Action.AwaitApproval wait ->
                    deciders.approvals().request(id, c.step(), wait, c.at());
            case Action.Finish(var outcome, var _) -> end(id, outcome, c.at());
        }
    }

    private void continueAsNew(Branch branch, String from, String state, JobData data, Instant at) {
        if (branch.id() != 0) {
            deciders.branches()
                    .fail(
                            branch.id(),
                            "state "
                                    + from
                                    + " wants the job to continue as new, and is in a branch; end the branch, and"
                                    + " let the state behind the join do it",
                            false,
                            at);
        } else if (branch.moves() >= Branch.MOST_MOVES) {
            deciders.branches().fail(0, GuardChecks.goesRound(branch, state), true, at);
        } else {
            draft.emit(new JobEvent.JobContinued(from, state, data, at));
            deciders.branches().enter(0, state, new StepCause.Moved(from), at);
        }
    }

    private void replaceDefinition(Branch branch, String from, Replacement by, Instant at) {
        var id = branch.id();
        if (!(by instanceof Replacement.Known(var to, var start, var guards, var cancelState))) {
            deciders.branches()
                    .fail(
                            id,
                            "state "
                                    + from
                                    + " brings a definition that the engine has not compiled",
                            false,
                            at);
        } else if (id != 0) {
            deciders.branches()
                    .fail(
                            id,
                            "state "
                                    + from
                                    + " replaces the definition of the job, and is in a branch; end the branch, and"
                                    + " let the state behind the join do it",
                            false,
                            at);
        } else if (draft.job().compensationLog().needsStates()) {
            deciders.branches()
                    .fail(
                            0,
                            "state "
                                    + from
                                    + " replaces the definition of the job with "
                                    + to.name()
                                    + " version "
                                    + to.version()
                                    + ", and states of the one that it leaves compensate what was done; replace it"
                                    + " before, or let tasks compensate",
                            false,
                            at);
        } else if (branch.moves() >= Branch.MOST_MOVES) {
            deciders.branches().fail(0, GuardChecks.goesRound(branch, start), true, at);
        } else {
            draft.emit(
                    new JobEvent.DefinitionReplaced(
                            draft.job().spec().blueprint(), from, to, guards, cancelState, at));
            deciders.branches().enter(0, start, new StepCause.Moved(from), at);
        }
    }

    private void end(int branch, JobOutcome outcome, Instant at) {
        if (!deciders.compensation().isRunning()) {
            deciders.compensation().end(outcome, at);
        } else if (outcome instanceof JobOutcome.Finished) {
            deciders.branches().end(branch, Optional.empty(), false, at);
        } else {
            deciders.branches().fail(branch, CompensationDecider.reason(outcome), true, at);
        }
    }
}
