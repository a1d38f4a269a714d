package dev.artel.simulation.judges;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobState;
import dev.artel.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The part of the [Ledger] that judges how jobs compensation what they did.
final class CompensationInvariants {
    private final World world;
    private final Map<Run, Set<String>> wanted = new HashMap<>();
    private final Map<JobId, Account> accounts = new HashMap<>();

    private record Run(JobId job, EffectId step) {}

    private static final class Account {
        final Map<Integer, Boolean> declared = new HashMap<>();
        final List<StateVisit> wantedBack = new ArrayList<>();
        CompensationLog.@Nullable Aim aim;
        int compensatedBefore;
        int compensated;
        int failures;
        List<CompensationLog.Entry> toCompensate = List.of();

        /// The job goes on, or comes to another end.
        void leave() {
            aim = null;
            compensatedBefore += compensated;
            compensated = 0;
            failures = 0;
        }
    }

    CompensationInvariants(World world) {
        this.world = world;
    }

    /// A handler's run returned `action`; it may have run twice and returned two.
    void wants(JobId job, EffectId step, Action action) {
        wanted.computeIfAbsent(new Run(job, step), _ -> new HashSet<>())
                .add(action instanceof Action.Compensable ? "compensable" : "not");
    }

    /// Somebody is about to take the job back.
    void wantsBack(JobId job, StateVisit to) {
        accounts.computeIfAbsent(job, _ -> new Account()).wantedBack.add(to);
    }

    /// Whether `event` is what becomes of taking a job back.
    static boolean takesBack(JobEvent event, StateVisit to) {
        return switch (event) {
            case JobEvent.JobRewound done ->
                    done.to().equals(to.state()) && done.data().equals(to.data());
            case JobEvent.CompensationStarted(
                            CompensationLog.Back(var wanted, var _),
                            var _,
                            var _,
                            var _) ->
                    wanted.equals(to);
            default -> false;
        };
    }

    /// @param folds the job after each of `appended`
    void judge(JobId job, List<JobEvent> appended, List<JobState> folds) {
        var fold = (Job) folds.getLast();
        var account = accounts.computeIfAbsent(job, _ -> new Account());
        for (var i = 0; i < appended.size(); i++) {
            var next =
                    i + 1 < appended.size()
                            ? Optional.of(appended.get(i + 1))
                            : Optional.<JobEvent>empty();
            judge(job, account, appended.get(i), next, fold);
            if (appended.get(i) instanceof JobEvent.JobRewound event) {
                rewound(job, account, event, (Job) folds.get(i));
            }
        }
    }

    private void judge(
            JobId job, Account account, JobEvent event, Optional<JobEvent> next, Job fold) {
        switch (event) {
            case JobEvent.StepDone(int branch, var step, var _, var _, var _) -> {
                var returned = wanted.getOrDefault(new Run(job, step), Set.of("not"));
                var isDeclared =
                        next.filter(JobEvent.CompensationRegistered.class::isInstance).isPresent();
                var begins =
                        next.filter(CompensationInvariants::beginsWork).isPresent()
                                && !returned.contains("not");
                if (account.aim == null
                        && (isDeclared ? !returned.contains("compensable") : begins)) {
                    throw world.failure(
                            "a step of "
                                    + job
                                    + " returned what is "
                                    + returned
                                    + ", and then comes "
                                    + next);
                }
                account.declared.put(branch, isDeclared);
            }
            case JobEvent.CompensationStarted(var aim, var _, var _, var _) -> {
                if (account.aim instanceof CompensationLog.End
                        || aim instanceof CompensationLog.End(JobOutcome.Finished _)) {
                    throw world.failure("job " + job + " has no reason for " + event);
                }
                account.aim = aim;
                account.compensatedBefore += account.compensated;
                account.compensated = 0;
                account.failures = 0;
                account.toCompensate = toCompensate(account, fold);
            }
            case JobEvent.ChildEnded _, JobEvent.ChildStarted _ when account.aim != null ->
                    // It finished before it knew that it was not wanted, or lives by itself.
                    account.toCompensate = toCompensate(account, fold);
            case JobEvent.JobRewound _ -> {
                // See [#rewound].
            }
            case JobEvent.CancelRequested _ -> account.leave();
            case JobEvent.JobContinued _ -> {
                account.compensatedBefore = 0;
                account.compensated = 0;
                account.wantedBack.clear();
            }
            case JobEvent.StateEntered(
                            int _,
                            var state,
                            StepCause.Compensation(int number),
                            var _) -> {
                if (number != account.toCompensate.size() - 1 - account.compensated) {
                    throw world.failure(
                            "job "
                                    + job
                                    + " compensates "
                                    + number
                                    + " in "
                                    + state
                                    + " after "
                                    + account.compensated
                                    + " of "
                                    + account.toCompensate);
                }
            }
            case JobEvent.CompensationCompleted(var failure, var _) -> {
                account.compensated++;
                account.failures += failure.isPresent() ? 1 : 0;
            }
            case JobEvent.JobEnded(var outcome, var _) -> ended(job, account, outcome, fold);
            default -> {
                // does not mention it
            }
        }
    }

    /// What was to be compensated when compensation began, from the first to the last.
    private static List<CompensationLog.Entry> toCompensate(Account account, Job fold) {
        var all = new ArrayList<>(fold.compensationLog().registered().stream().toList());
        var compensated = fold.compensationLog().compensated();
        for (var i = compensated.size() - 1; i >= account.compensatedBefore; i--) {
            all.add(compensated.get(i).what());
        }
        return all;
    }

    /// An end state is entered under the number of a step that was lost with its append.
    private static boolean beginsWork(JobEvent event) {
        return event instanceof JobEvent.TaskOpened
                || event instanceof JobEvent.TasksOpened
                || event instanceof JobEvent.ChildRequested
                || event instanceof JobEvent.ChildrenRequested;
    }

    /// @param fold the job that is taken back: what becomes durable with it may begin anew at once
    private void rewound(JobId job, Account account, JobEvent.JobRewound event, Job fold) {
        var mayStay =
                account.wantedBack.stream()
                        .filter(to -> takesBack(event, to))
                        .mapToInt(StateVisit::done)
                        .max();
        if (mayStay.isEmpty() || fold.compensationLog().registered().size() > mayStay.getAsInt()) {
            throw world.failure(
                    "job "
                            + job
                            + " is taken back by "
                            + event
                            + ", and has not compensated all but "
                            + mayStay
                            + " of "
                            + fold.compensationLog().registered());
        }
        account.leave();
    }

    private void ended(JobId job, Account account, JobOutcome outcome, Job fold) {
        if (outcome instanceof JobOutcome.Finished) {
            if (account.aim != null) {
                throw world.failure("job " + job + " has finished, and compensated what it did");
            }
            return;
        }
        if (!fold.compensationLog().registered().isEmpty()) {
            throw world.failure(
                    "job "
                            + job
                            + " has ended and not compensated "
                            + fold.compensationLog().registered());
        }
        if (account.aim == null) {
            return;
        }
        if (account.compensated != account.toCompensate.size()) {
            throw world.failure(
                    "job "
                            + job
                            + " has compensated "
                            + account.compensated
                            + " of "
                            + account.toCompensate);
        }
        if (account.aim.equals(new CompensationLog.End(outcome)) != (account.failures == 0)) {
            throw world.failure(
                    "job "
                            + job
                            + " could not compensate "
                            + account.failures
                            + " and comes to "
                            + outcome);
        }
    }
}
