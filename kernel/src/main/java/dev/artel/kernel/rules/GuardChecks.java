package dev.artel.kernel.rules;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StateTrail;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.TaskError;
import java.util.Optional;

/// Checks whether a job has gone on for too long, and describes why; pure functions of a job, which the deciders use.
///
/// The limits of states and of events are looked at where a branch enters a state: then no worker has anything of it, and
/// a person who lets it go on runs the handler of that state; so are the names in its data. What a person does is never refused because of them, and gives
/// a fresh allowance. Compensation has a limit of its own.
public final class GuardChecks {
    private static final int FEW_NAMES = 32;

    private static final String AND_THEN =
            ". Release it to run its next handler all the same, rewind it with less, or discard it";

    private GuardChecks() {}

    /// What a branch that has just entered a state has used up.
    static Optional<String> spent(Job job, int branch) {
        if (job.compensationLog().running().isPresent()) {
            return Optional.empty();
        }
        var allowed = job.spec().guards().transitions();
        if (job.enteredSinceAllowed() > allowed) {
            return Optional.of(
                    "entered "
                            + Counts.of(job.enteredSinceAllowed())
                            + " states, and its blueprint allows "
                            + Counts.of(allowed)
                            + "; "
                            + trailOf(job, branch).text()
                            + ". Release it to let it enter as many again, or discard it and end the loop in its blueprint");
        }
        if (isHistoryFull(job)) {
            return Optional.of(fullHistory(job) + "; " + trailOf(job, branch).text());
        }
        return Optional.empty();
    }

    /// Why a job may not go on with its data, unless a person lets it.
    static Optional<String> tooMuchData(Job job, StepCause cause) {
        return job.compensationLog().running().isPresent() || cause instanceof StepCause.Resolved
                ? Optional.empty()
                : tooMuch("its data", job.data())
                        .or(() -> tooMuch("its initial data", job.spec().initialData()));
    }

    private static Optional<String> tooMuch(String what, JobData data) {
        if (data.size() > Guards.MOST_NAMES) {
            return Optional.of(
                    what
                            + " have "
                            + Counts.of(data.size())
                            + " names, and those of a job have at most "
                            + Counts.of(Guards.MOST_NAMES)
                            + "; put what belongs together under one name"
                            + AND_THEN);
        }
        // Few names have little, because each that has much is kept apart.
        var memory = data.size() <= FEW_NAMES ? 0 : data.memory();
        return memory <= Guards.MOST_MEMORY
                ? Optional.empty()
                : Optional.of(
                        what
                                + " take about "
                                + (memory >> 20)
                                + " MiB of memory, and those of a job take at most "
                                + (Guards.MOST_MEMORY >> 20)
                                + "; put what belongs together under one name, so that it is kept"
                                + " apart as a large value"
                                + AND_THEN);
    }

    /// Why a branch may not begin `count` branches.
    static Optional<String> tooMany(Job job, int branch, int count) {
        var allowed = job.spec().guards().transitions();
        if (job.compensationLog().running().isPresent()
                || job.enteredSinceAllowed() + count <= allowed) {
            return Optional.empty();
        }
        return Optional.of(
                "cannot begin "
                        + Counts.of(count)
                        + " branches after "
                        + Counts.of(job.enteredSinceAllowed())
                        + " states: its blueprint allows "
                        + Counts.of(allowed)
                        + "; "
                        + trailOf(job, branch).text());
    }

    /// Why a job may not have `count` more tasks; those that compensate what it did are not counted.
    public static Optional<String> tooManyTasks(Job job, int count) {
        return tooManyOfARun(job, job.tasks().size(), count, Guards.MOST_TASKS, "tasks");
    }

    /// Why a job may not have `count` more children.
    public static Optional<String> tooManyChildren(Job job, int count) {
        return tooManyOfARun(
                job, job.children().children().size(), count, Guards.MOST_CHILDREN, "children");
    }

    private static Optional<String> tooManyOfARun(
            Job job, int had, int more, int most, String what) {
        return job.compensationLog().running().isPresent() || had + more <= most
                ? Optional.empty()
                : Optional.of(
                        "cannot begin "
                                + Counts.of(more)
                                + " "
                                + what
                                + " after "
                                + Counts.of(had)
                                + ": one run of a job has at most "
                                + Counts.of(most)
                                + "; let it continue as new (continueAsNew) before");
    }

    /// Where the job waits for branches, it is one of those that went round.
    private static StateTrail trailOf(Job job, int branch) {
        var own = job.branches().get(branch).stateTrail();
        if (own.cycle().isPresent()) {
            return own;
        }
        var most = own;
        for (var other : job.branches()) {
            if (other.stateTrail().cycle().isPresent()
                    && other.stateTrail().repeated() > most.repeated()) {
                most = other.stateTrail();
            }
        }
        return most;
    }

    static boolean isHistoryFull(Job job) {
        return job.version() - job.guardBaseline().events() > job.spec().guards().history();
    }

    static String fullHistory(Job job) {
        return "has "
                + Counts.of(job.version() - job.guardBaseline().events())
                + " events, and its blueprint allows "
                + Counts.of(job.spec().guards().history());
    }

    /// A task that is handed out and given back forever would fill the history without ever entering a state.
    static boolean isGivenBackForever(Job job) {
        return isHistoryFull(job)
                && job.phase() instanceof Job.Active
                && job.compensationLog().running().isEmpty();
    }

    static TaskError givenBackForever(Job job) {
        return new TaskError(
                ErrorClass.LOST,
                "HISTORY_FULL",
                "was handed out and given back until its job was too long: it " + fullHistory(job));
    }

    static String goesRound(Branch branch, String next) {
        return "went through "
                + Branch.MOST_MOVES
                + " states without waiting for anything, the last from "
                + branch.state()
                + " to "
                + next
                + branch.stateTrail().cycle().map(cycle -> " (" + cycle + ")").orElse("")
                + "; end the loop, or let it wait for a task or for time";
    }
}
