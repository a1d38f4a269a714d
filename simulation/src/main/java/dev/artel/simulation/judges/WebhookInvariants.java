package dev.artel.simulation.judges;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.webhook.WebhookEventType;
import dev.artel.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// The part of the [Ledger] that judges the calls of webhooks.
final class WebhookInvariants {
    private final World world;
    private final Set<Heard> heard = new HashSet<>();
    private final Set<Heard> givenUp = new HashSet<>();

    private record Heard(JobId job, EffectId call) {}

    WebhookInvariants(World world) {
        this.world = world;
    }

    void hears(JobId job, EffectId call) {
        heard.add(new Heard(job, call));
    }

    void delivered(JobId job, EffectId call) {
        if (!heard.contains(new Heard(job, call))) {
            throw world.failure(
                    "call " + call + " of job " + job + " is taken for delivered and was not made");
        }
    }

    void givenUp(JobId job, EffectId call) {
        givenUp.add(new Heard(job, call));
    }

    /// All is over: each webhook for an end was called, unless the call was given up.
    void check(Job job, List<JobEvent> events) {
        for (var number = 1; number <= events.size(); number++) {
            if (!(events.get(number - 1) instanceof JobEvent.JobEnded end)) {
                continue;
            }
            var webhookEventType =
                    switch (end.outcome()) {
                        case JobOutcome.Finished _ -> WebhookEventType.FINISHED;
                        case JobOutcome.Failed _ -> WebhookEventType.FAILED;
                        case JobOutcome.Cancelled _ -> WebhookEventType.CANCELLED;
                    };
            var wanted =
                    job.spec().options().webhooks().stream()
                            .filter(webhook ->
                                    webhook.webhookEventTypes().contains(webhookEventType))
                            .count();
            var at = number;
            var known = new HashSet<>(heard);
            known.addAll(givenUp);
            var found =
                    known.stream()
                            .filter(one -> one.job().equals(job.id()))
                            .filter(one -> one.call().event() == at)
                            .count();
            if (found != wanted) {
                throw world.failure(
                        "the end of job " + job.id() + " is known to " + found + " of " + wanted);
            }
        }
    }
}
