package dev.artel.simulation.workers;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.AskQuestion;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Release;
import dev.artel.protocol.Renew;
import dev.artel.protocol.TaskLog;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.PushTerms;
import dev.artel.session.SessionInput;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.orchestrator.SimulatedSession;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// Somebody who knows the leases of others, and some that there are not, and sends what a worker sends that holds them. Whatever
/// it is, it ends nothing, and changes nothing for those who hold them.
public final class Strangers {
    private static final WorkerId NAME = new WorkerId("stranger");
    private static final List<LeaseToken> UNKNOWN =
            List.of(
                    new LeaseToken("no lease"),
                    new LeaseToken("nobody.0.1.x"),
                    new LeaseToken("nobody.99999999999.1.x"),
                    new LeaseToken(".".repeat(1_000)));

    private final World world;
    private final Supplier<SimulatedOrchestrator> orchestrator;
    private final List<SimulatedWorker> workers;
    private final SplittableRandom random;

    public Strangers(
            World world,
            Supplier<SimulatedOrchestrator> orchestrator,
            List<SimulatedWorker> workers) {
        this.world = world;
        this.orchestrator = orchestrator;
        this.workers = workers;
        random = world.random(Trait.STRANGERS);
    }

    /// Sends something, and something else later, until the world is calm.
    public void act() {
        if (world.isCalm()) {
            return;
        }
        if (orchestrator.get().isOpen()) {
            send(orchestrator.get().session());
        }
        world.loop().after(random.nextLong(50, 4_000), this::act);
    }

    private void send(SimulatedSession session) {
        var tokens = new ArrayList<LeaseToken>();
        workers.forEach(worker -> tokens.addAll(worker.leases()));
        if (tokens.isEmpty() || random.nextInt(4) == 0) {
            tokens.addAll(UNKNOWN);
        }
        var token = tokens.get(random.nextInt(tokens.size()));
        switch (random.nextInt(4)) {
            case 0 ->
                    session.strangely(
                            new SessionInput.TasksAccepted(socket(session), List.of(token)));
            case 1 ->
                    session.strangely(
                            new SessionInput.TasksRefused(
                                    socket(session), List.of(token), LeaseEnd.Returned.RELEASED));
            case 2 ->
                    session.strangely(
                            new SessionInput.ChannelResumed(random.nextInt(1_000, 2_000)));
            default -> {
                var _ = session.receive(NAME, message(token), _ -> {});
            }
        }
    }

    /// A channel of its own, or one that there is not.
    private long socket(SimulatedSession session) {
        if (random.nextBoolean()) {
            return random.nextInt(1_000, 2_000);
        }
        var line = new StrangersLine();
        var socket =
                session.opened(NAME, new PushTerms("simulated", Duration.ofSeconds(5), true), line);
        world.loop()
                .after(
                        random.nextLong(1, 5_000),
                        () -> session.closed(socket, "the stranger has closed it"));
        return socket;
    }

    private WorkerMessage message(LeaseToken token) {
        var lease = token.value();
        return switch (random.nextInt(8)) {
            case 0 -> result(token);
            case 1 -> new Renew(NAME.value(), List.of(lease), List.of());
            case 2 -> new Release(NAME.value(), List.of(lease), "not mine");
            case 3 -> new Progress(null, lease, lease, 0.5, "half of it");
            case 4 -> new TaskLog(NAME.value(), lease, lease, List.of());
            case 5 ->
                    new AskQuestion(
                            NAME.value(), lease, lease, "q", "whose is it?", List.of(), null);
            case 6 ->
                    new Heartbeat.Full(
                            NAME.value(),
                            null,
                            1,
                            null,
                            Heartbeat.HotState.UNREPORTED,
                            List.of(lease));
            default -> new WorkerMessage.Disconnect(NAME.value());
        };
    }

    private static TaskResult result(LeaseToken token) {
        var job = token.address().map(address -> address.job().value()).orElse("nobody");
        return new TaskResult(
                job,
                token.value(),
                NAME.value(),
                token.value(),
                new TaskOutcome.Succeeded("success", JsonObject.EMPTY));
    }
}
