package dev.artel.kernel.rules;

import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOptions;

/// Decides what clients want of jobs that live, beside their end.
final class ClientDecider {
    private final Draft draft;

    ClientDecider(Draft draft) {
        this.draft = draft;
    }

    /// The same priority and labels again change nothing.
    Decision change(Job job, JobCommand.ChangeJob c) {
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return new Decision.Rejected(
                    Reason.FINAL,
                    "job "
                            + job.id()
                            + " cannot be changed: it is already "
                            + job.status()
                            + " since "
                            + at
                            + ", and the priority and labels of a job that is over stay");
        }
        var options = job.spec().options();
        var priority = c.patch().priority().orElse(options.priority());
        var labels = c.patch().labelsAfter(options.labels());
        if (labels.size() > JobOptions.MOST_LABELS) {
            return new Decision.Rejected(
                    Reason.FULL,
                    "job "
                            + job.id()
                            + " cannot be changed: it would have "
                            + labels.size()
                            + " labels, and takes at most "
                            + JobOptions.MOST_LABELS
                            + "; remove some, with null for their value");
        }
        if (priority == options.priority() && labels.equals(options.labels())) {
            return draft.accepted();
        }
        if (GuardChecks.isHistoryFull(job)) {
            return new Decision.Rejected(
                    Reason.FULL,
                    "job "
                            + job.id()
                            + " cannot be changed: it "
                            + GuardChecks.fullHistory(job)
                            + "; change it when it has gone on");
        }
        draft.emit(new JobEvent.JobChanged(priority, labels, c.by(), c.at()));
        return draft.accepted();
    }

    /// A job that is paused stays paused, for the first reason. What ends a job, or takes back what it did, is not paused.
    Decision pause(Job job, JobCommand.PauseJob c) {
        if (job.pause().isPresent()) {
            return draft.accepted();
        }
        var what = "job " + job.id() + " cannot be paused: ";
        return switch (job.phase()) {
            case Job.Ended(var _, var at) ->
                    new Decision.Rejected(
                            Reason.FINAL, what + "it is already " + job.status() + " since " + at);
            case Job.Cancelling _ ->
                    new Decision.Rejected(
                            Reason.NOT_AWAITED,
                            what
                                    + "it is being cancelled, and ends when its workers have given up");
            case Job.Active _ when job.compensationLog().running().isPresent() ->
                    new Decision.Rejected(
                            Reason.NOT_AWAITED,
                            what + "what it did is being compensated; pause it when it goes on");
            case Job.Active _, Job.Quarantined _ when GuardChecks.isHistoryFull(job) ->
                    new Decision.Rejected(
                            Reason.FULL,
                            what
                                    + "it "
                                    + GuardChecks.fullHistory(job)
                                    + "; pause it when it has gone on, or cancel it");
            case Job.Active _, Job.Quarantined _ -> {
                draft.emit(new JobEvent.JobPaused(c.reason(), c.by(), c.at()));
                yield draft.accepted();
            }
        };
    }

    /// A job that is not paused goes on as it is.
    Decision resume(Job job, JobCommand.ResumeJob c) {
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return new Decision.Rejected(
                    Reason.FINAL,
                    "job "
                            + job.id()
                            + " cannot be resumed: it is already "
                            + job.status()
                            + " since "
                            + at);
        }
        if (job.pause().isPresent()) {
            draft.emit(new JobEvent.JobResumed(c.by(), c.at()));
        }
        return draft.accepted();
    }
}
