package dev.artel.simulation.workers;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.session.PushTerms;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// How a worker has tasks pushed: it opens a connection, accepts tasks, refuses or overlooks them, loses the connection or closes it in the middle of
/// a task, polls for a while, and opens another one.
final class PushedTasks {
    private static final long LONGEST_POLLING = 20_000;

    private final World world;
    private final Supplier<SimulatedOrchestrator> orchestrator;
    private final SimulatedWorker worker;
    private final PushTerms terms;
    private final SplittableRandom random;
    private @Nullable PushConnection connection;
    private long pollsUntil;
    private @Nullable LeaseToken arrivedLast;

    /// @param keepsLeases whether the worker names its process, so that its tasks outlive a connection
    PushedTasks(
            World world,
            Supplier<SimulatedOrchestrator> orchestrator,
            SimulatedWorker worker,
            boolean keepsLeases) {
        this.world = world;
        this.orchestrator = orchestrator;
        this.worker = worker;
        random = world.random(Trait.PUSHED);
        terms = new PushTerms("simulated", Duration.ofSeconds(random.nextLong(2, 6)), keepsLeases);
    }

    /// Whether the worker waits for what is pushed, so that it does not poll. Opens a connection if it has none.
    boolean isPushed() {
        if (world.loop().now() < pollsUntil) {
            return false;
        }
        if (connection == null) {
            connection = new PushConnection(world, orchestrator, worker, terms, this);
            connection.open();
        }
        return true;
    }

    /// With each heartbeat the worker reports that it takes tasks.
    void beat() {
        if (connection != null) {
            connection.resume();
        }
    }

    /// The process of the worker is gone.
    void abandon() {
        var left = connection;
        connection = null;
        pollsUntil = 0;
        if (left != null) {
            left.breaks();
        }
    }

    /// The worker has tasks that were pushed.
    void arrive(PushConnection from, List<HandOut> tasks) {
        for (var task : tasks) {
            arrivedLast = task.lease().token();
            var dice = world.isCalm() ? 99 : random.nextInt(100);
            if (dice < 6) {
                world.note(worker.id().value(), "overlooks " + task.lease().token());
            } else if (dice < 12) {
                from.refuse(task);
            } else if (dice < 20) {
                // Its first words about the task accept it, if they come in time.
                worker.begin(task);
            } else if (dice < 26) {
                worker.later(
                        random.nextLong(8_000),
                        () -> {
                            from.accept(task);
                            worker.begin(task);
                        });
            } else {
                from.accept(task);
                worker.begin(task);
            }
        }
    }

    /// The lease that came last; null if none has come.
    @Nullable LeaseToken arrivedLast() {
        return arrivedLast;
    }

    /// Now and then a worker goes over to polls while it has tasks.
    void mayChange(PushConnection from) {
        if (from == connection && !world.isCalm() && random.nextInt(100) < 15) {
            world.note(worker.id().value(), "closes its connection");
            from.close();
            lost(from);
        }
    }

    /// The worker notices that its connection is over.
    void lost(PushConnection from) {
        if (from != connection) {
            return;
        }
        connection = null;
        if (!world.isCalm() && random.nextBoolean()) {
            pollsUntil = world.loop().now() + random.nextLong(LONGEST_POLLING);
        }
        if (!terms.keepsLeases()) {
            worker.startsAnew();
        }
        worker.later(random.nextLong(100, 3_000), worker::poll);
    }
}
