package dev.artel.simulation;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The history of a job for people, a line for each event that matters to them.
final class JobTranscript {
    private JobTranscript() {}

    static String of(JobId job, List<JobEvent> events, Instant beginning) {
        var story = new StringBuilder("  job " + job + "\n");
        for (var event : events) {
            line(event)
                    .ifPresent(line -> {
                        var millis = Duration.between(beginning, event.at()).toMillis();
                        story.append(
                                String.format(
                                        Locale.ROOT, "%11.3f s  %s%n", millis / 1000.0, line));
                    });
        }
        return story.toString();
    }

    private static Optional<String> line(JobEvent event) {
        return switch (event) {
            case JobEvent.JobSubmitted(var spec, var _) ->
                    Optional.of("submitted to " + spec.blueprint().name());
            case JobEvent.StateEntered(int branch, var state, var cause, var _) ->
                    Optional.of(branch(branch) + "state " + state + ", because " + cause);
            case JobEvent.StepDone _ -> Optional.empty();
            case JobEvent.StepFailed(int branch, var _, var message, int attempt, var retry, _) ->
                    Optional.of(
                            branch(branch)
                                    + "the handler failed, attempt "
                                    + attempt
                                    + (retry.isPresent() ? ": " : " (the last): ")
                                    + message);
            case JobEvent.TaskOpened(int branch, var spec, var _, var _) ->
                    Optional.of(branch(branch) + "dispatches " + spec.type());
            case JobEvent.TasksOpened(int branch, var specs, int _, var _, var _, var _, var _) ->
                    Optional.of(branch(branch) + "dispatches " + specs.size() + " tasks");
            case JobEvent.LeaseGranted(int task, var lease, var placement, var _) ->
                    Optional.of(
                            "task "
                                    + task
                                    + " goes to "
                                    + lease.worker().value()
                                    + ", attempt "
                                    + lease.attempt()
                                    + ": "
                                    + placement.because());
            case JobEvent.AttemptFailed(int task, var _, var error, boolean _, var _, var _) ->
                    Optional.of("task " + task + " failed once: " + error.message());
            case JobEvent.LeaseLost(int task, var _, var reason, var _) ->
                    Optional.of("task " + task + " is taken from its worker: " + reason);
            case JobEvent.LeaseReturned(int task, var _, var reason, var _, var _) ->
                    Optional.of("task " + task + " comes back unstarted: " + reason);
            case JobEvent.TaskSucceeded(int task, var _, var status, var _, var _) ->
                    Optional.of("task " + task + " is done: " + status);
            case JobEvent.TaskFailed(int task, var error, boolean _, var _) ->
                    Optional.of("task " + task + " failed for good: " + error.message());
            case JobEvent.ApprovalRequested(int branch, var approval, var until, var _) ->
                    Optional.of(
                            branch(branch)
                                    + "asks: "
                                    + approval.message()
                                    + until.map(limit -> " (until " + limit + ")").orElse(""));
            case JobEvent.JobEnded(var outcome, var _) -> Optional.of(text(outcome));
            case JobEvent other -> Optional.of(other.toString());
        };
    }

    private static String branch(int branch) {
        return branch == 0 ? "" : "branch " + branch + ": ";
    }

    static String text(JobOutcome outcome) {
        return switch (outcome) {
            case JobOutcome.Finished _ -> "finished";
            case JobOutcome.Failed(var reason) -> "failed: " + reason;
            case JobOutcome.Cancelled(var reason) -> "cancelled: " + reason;
        };
    }
}
