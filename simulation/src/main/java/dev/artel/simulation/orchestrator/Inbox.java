package dev.artel.simulation.orchestrator;

import dev.artel.simulation.world.World;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// A mailbox: takes messages in the order in which they came, one at a time, with pauses that chance decides.
final class Inbox<T> {
    private final World world;
    private final BooleanSupplier alive;
    private final LongSupplier stillUntil;
    private final Consumer<T> receiver;
    private final Queue<T> messages = new ArrayDeque<>();
    private boolean scheduled;

    /// @param process whose it is
    Inbox(World world, SimulatedOrchestrator process, Consumer<T> receiver) {
        this.world = world;
        this.alive = process::isAlive;
        this.stillUntil = process::stillUntil;
        this.receiver = receiver;
    }

    void put(T message) {
        messages.add(message);
        schedule();
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            world.loop().after(world.chance(0.05) ? world.between(1, 10) : 0, this::run);
        }
    }

    private void run() {
        if (!alive.getAsBoolean()) {
            return;
        }
        if (world.loop().now() < stillUntil.getAsLong()) {
            world.loop().at(stillUntil.getAsLong(), this::run);
            return;
        }
        scheduled = false;
        receiver.accept(messages.remove());
        if (!messages.isEmpty()) {
            schedule();
        }
    }
}
