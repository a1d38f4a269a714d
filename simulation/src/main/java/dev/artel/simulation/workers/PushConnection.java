package dev.artel.simulation.workers;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import dev.artel.session.PushTerms;
import dev.artel.simulation.orchestrator.PushLine;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.orchestrator.SimulatedSession;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One connection over which tasks are pushed, with both its ends. What is sent arrives in order or not at all, and nothing arrives after its end;
/// when it breaks each end notices for itself, perhaps much later.
final class PushConnection implements PushLine {
    private static final long CONNECT_TIMEOUT = 10_000;
    private static final long UNNOTICED_THERE = 40_000;
    private static final long UNNOTICED_HERE = 10_000;

    private final World world;
    private final Supplier<SimulatedOrchestrator> orchestrator;
    private final SimulatedWorker worker;
    private final PushTerms terms;
    private final PushedTasks end;
    private final SplittableRandom random;

    /// The other end; null before it has been reached.
    private @Nullable SimulatedSession session;

    private long socket;
    private long lastThere;
    private long lastHere;
    private boolean broken;
    private boolean closed;

    PushConnection(
            World world,
            Supplier<SimulatedOrchestrator> orchestrator,
            SimulatedWorker worker,
            PushTerms terms,
            PushedTasks end) {
        this.world = world;
        this.orchestrator = orchestrator;
        this.worker = worker;
        this.terms = terms;
        this.end = end;
        random = world.random(Trait.PUSHED);
    }

    // The worker's end

    void open() {
        world.loop()
                .after(
                        latency(),
                        () -> {
                            var there = orchestrator.get();
                            if (!broken && there.isOpen() && !worker.isCutOff()) {
                                session = there.session();
                                socket = session.opened(worker.id(), terms, this);
                                ages();
                            }
                        });
        worker.later(
                CONNECT_TIMEOUT,
                () -> {
                    if (session == null) {
                        broken = true;
                        end.lost(this);
                    }
                });
    }

    private void ages() {
        if (!world.isCalm() && random.nextInt(100) < 70) {
            world.loop().after(random.nextLong(1_000, 40_000), this::breaksUnlessCalm);
        }
        if (!world.isCalm()) {
            worker.later(random.nextLong(500, 20_000), () -> end.mayChange(this));
        }
    }

    private void breaksUnlessCalm() {
        if (!world.isCalm()) {
            breaks();
        }
    }

    /// Nothing passes any more.
    void breaks() {
        if (broken) {
            return;
        }
        broken = true;
        var there = session;
        if (there != null) {
            world.loop()
                    .after(
                            random.nextLong(UNNOTICED_THERE),
                            () -> there.closed(socket, "the connection is broken"));
        }
        worker.later(random.nextLong(UNNOTICED_HERE), () -> end.lost(this));
    }

    /// The worker closes the connection.
    void close() {
        send((there, number) -> there.closed(number, "the worker has closed it"));
        breaks();
    }

    void accept(HandOut task) {
        send((there, number) -> there.accepted(number, token(task)));
    }

    void refuse(HandOut task) {
        send((there, number) -> there.refused(number, token(task)));
    }

    void resume() {
        send(SimulatedSession::resumed);
    }

    private static LeaseToken token(HandOut task) {
        return task.lease().token();
    }

    private void send(BiConsumer<SimulatedSession, Long> message) {
        var there = session;
        if (there == null || broken || isLost()) {
            return;
        }
        lastThere = Math.max(lastThere + 1, world.loop().now() + latency());
        world.loop().at(lastThere, () -> message.accept(there, socket));
    }

    // The orchestrator's end

    @Override
    public void push(List<HandOut> tasks) {
        receive(() -> end.arrive(this, tasks));
    }

    @Override
    public void cancel(CancelTask cancel) {
        var token = cancel.leaseToken() == null ? cancel.taskId() : cancel.leaseToken();
        receive(() -> worker.cancel(List.of(token)));
    }

    @Override
    public void closed(String reason) {
        if (closed || reason.isBlank()) {
            throw world.failure("a connection is closed twice, or without a reason: " + reason);
        }
        closed = true;
        worker.later(Math.max(lastHere - world.loop().now(), 0) + latency(), () -> end.lost(this));
    }

    private void receive(Runnable act) {
        if (broken || isLost()) {
            return;
        }
        lastHere = Math.max(lastHere + 1, world.loop().now() + latency());
        worker.later(lastHere - world.loop().now(), act);
    }

    // The network

    private boolean isLost() {
        return worker.isCutOff() || world.strikes(Trait.MESSAGES_LOST, 0.08);
    }

    private long latency() {
        return world.strikes(Trait.MESSAGES_DELAYED, 0.1)
                ? world.between(0, 10_000)
                : world.between(0, 5);
    }
}
