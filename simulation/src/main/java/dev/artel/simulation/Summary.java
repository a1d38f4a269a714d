package dev.artel.simulation;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Task;
import dev.artel.simulation.orchestrator.OrchestratorHost;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What matters of all jobs of a world, without what differs from run to run: names, times, attempts.
final class Summary {
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    private Summary() {}

    /// Has an id that no other step has, in no run.
    private static final String STEP_OF_FUNCTION = "_function";

    /// A text for each job, in an order that does not depend on their names.
    static List<String> of(OrchestratorHost orchestratorHost) {
        var jobs = new ArrayList<String>();
        for (var id : orchestratorHost.ledger().jobs()) {
            orchestratorHost
                    .ledger()
                    .fold(id)
                    .ifPresent(job -> jobs.add(of(orchestratorHost, job)));
        }
        return jobs.stream().sorted().toList();
    }

    private static String of(OrchestratorHost orchestratorHost, Job job) {
        var events = orchestratorHost.ledger().eventsOf(job.id());
        var text = new StringBuilder(job.spec().blueprint().name());
        text.append(": ")
                .append(
                        switch (job.phase()) {
                            case Job.Ended(var outcome, var _) -> JobTranscript.text(outcome);
                            case Job.Quarantined _ -> "quarantined";
                            case Job.Active _, Job.Cancelling _ -> "has not ended";
                        })
                .append("; ends: ")
                .append(events.stream().filter(JobEvent.JobEnded.class::isInstance).count())
                .append("; data:");
        job.data()
                .values()
                .forEach((name, value) -> {
                    if (!name.equals(STEP_OF_FUNCTION)) {
                        text.append(' ')
                                .append(name)
                                .append('=')
                                .append(orchestratorHost.handling().resolve(value));
                    }
                });
        text.append("; tasks:");
        // Branches that begin together give their tasks numbers as they come.
        job.tasks().stream()
                .map(task -> ' ' + task.spec().type() + ' ' + end(orchestratorHost, task))
                .sorted()
                .forEach(text::append);
        text.append("; compensated: ").append(job.compensationLog().compensated().size());
        text.append("; webhook calls over: ")
                .append(events.stream().filter(Summary::isEndOfWebhookCall).count());
        return INSTANT.matcher(text).replaceAll("(time)");
    }

    private static boolean isEndOfWebhookCall(JobEvent event) {
        return event instanceof JobEvent.WebhookDelivered
                || event instanceof JobEvent.WebhookGivenUp;
    }

    private static String end(OrchestratorHost orchestratorHost, Task task) {
        return switch (task.state()) {
            case Task.Succeeded done ->
                    done.status() + ' ' + orchestratorHost.handling().resolve(done.data());
            case Task.Failed(var error) -> "failed: " + error.message();
            case Task.Cancelled _ -> "cancelled";
            case Task.Planned _, Task.Open _ -> "open";
            case Task.Doubtful _ -> "in doubt";
        };
    }
}
