package dev.artel.simulation.orchestrator;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.engine.SubmitReply;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.simulation.disk.SimulatedStore;
import dev.artel.simulation.judges.Ledger;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Makes jobs of what clients send.
final class Submitting {
    private static final Duration LATER = Duration.ofSeconds(1);

    private final World world;
    private final SimulatedStore store;
    private final Ledger ledger;
    private final Map<String, Blueprint> blueprints;
    private final Handling handling;
    private final SimulatedOrchestrator orchestrator;

    Submitting(OrchestratorHost orchestratorHost, SimulatedOrchestrator orchestrator) {
        world = orchestratorHost.world();
        store = orchestratorHost.store();
        ledger = orchestratorHost.ledger();
        blueprints = orchestratorHost.blueprints();
        handling = orchestratorHost.handling();
        this.orchestrator = orchestrator;
    }

    void submit(Submission submission, Consumer<SubmitReply> answer) {
        var key = submission.idempotencyKey();
        if (store.wasFull()) {
            answer.accept(new SubmitReply.TryLater(LATER, "the store has no room"));
            return;
        }
        var fresh = key.isEmpty() || world.has(Mutant.KEY_IGNORED);
        var job = new JobId(fresh ? "job-" + ledger.freshNumber() : "key-" + key.get());
        var given = submission.options();
        var digest =
                Integer.toHexString((submission.blueprint() + submission.initialData()).hashCode());
        var options =
                given.withRequestDigest(key.isEmpty() ? Optional.empty() : Optional.of(digest));
        var blueprint = blueprints.get(submission.blueprint());
        if (blueprint == null) {
            answer.accept(
                    new SubmitReply.Refused(
                            SubmitReply.Why.UNKNOWN_BLUEPRINT, "no such blueprint"));
            return;
        }
        var command =
                new JobCommand.Submit(
                        new JobSpec(
                                        blueprint.ref(),
                                        blueprint.start().name(),
                                        submission.client(),
                                        kept((JsonObject) submission.initialData()),
                                        options,
                                        JobSpec.CURRENT_RULES,
                                        submission.clientPlan())
                                .withGuards(
                                        world.has(Mutant.GUARDS_FORGOTTEN)
                                                ? Guards.DEFAULTS
                                                : blueprint.guards())
                                .withCancelState(blueprint.cancelState())
                                .withBudget(
                                        world.has(Mutant.BUDGET_FORGOTTEN)
                                                ? Optional.empty()
                                                : Budget.least(
                                                        blueprint.budget(), submission.budget())),
                        submission.signal().map(signal -> received(signal, submission.client())),
                        world.now());
        orchestrator.begin(
                job,
                command,
                fresh,
                reply -> {
                    if (reply instanceof CommandReply.Done) {
                        ledger.acknowledged().submitted(job);
                    }
                    answer.accept(SubmitReply.of(job, reply));
                });
    }

    private JobCommand.Signal received(Submission.Signal signal, String client) {
        return new JobCommand.Signal(
                signal.name(),
                signal.id(),
                handling.keep(Payload.of(signal.payload())),
                client,
                world.now());
    }

    private JobData kept(JsonObject data) {
        var kept = new LinkedHashMap<String, Payload>();
        JobData.of(data).values().forEach((name, value) -> kept.put(name, handling.keep(value)));
        return new JobData(kept);
    }
}
