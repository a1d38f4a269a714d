package dev.artel.simulation.workers;

import dev.artel.protocol.WorkerMessage;
import dev.artel.session.SessionReply;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The network between workers and orchestrator: requests and their answers, which may be lost, late or doubled.
public final class Wire {
    /// How long what a process has sent may outlive it.
    private static final long LAST_WORDS = 1_000;

    private final World world;
    private final Supplier<SimulatedOrchestrator> orchestrator;

    public Wire(World world, Supplier<SimulatedOrchestrator> orchestrator) {
        this.world = world;
        this.orchestrator = orchestrator;
    }

    /// One request as its sender sees it: answered once, or not at all.
    private static final class Call {
        private @Nullable Consumer<@Nullable SessionReply> answer;

        Call(Consumer<@Nullable SessionReply> answer) {
            this.answer = answer;
        }

        boolean isOver() {
            return answer == null;
        }

        void give(@Nullable SessionReply reply) {
            var waiting = answer;
            answer = null;
            if (waiting != null) {
                waiting.accept(reply);
            }
        }
    }

    /// Sends a message.
    ///
    /// @param timeout after how many milliseconds the sender gives up
    /// @param answer receives the answer, or null if there is none
    void send(
            SimulatedWorker worker,
            WorkerMessage message,
            long timeout,
            Consumer<@Nullable SessionReply> answer) {
        var call = new Call(answer);
        deliver(worker, message, call);
        if (world.strikes(Trait.MESSAGES_DOUBLED, 0.1)) {
            var nobody = new Call(_ -> {});
            nobody.give(null);
            deliver(worker, message, nobody);
        }
        world.loop().after(timeout, () -> call.give(null));
    }

    private void deliver(SimulatedWorker worker, WorkerMessage message, Call call) {
        if (isLost(worker)) {
            return;
        }
        var life = worker.life();
        var sent = world.loop().now();
        world.loop()
                .after(
                        latency(),
                        () -> {
                            var there = orchestrator.get();
                            if (worker.life() != life && world.loop().now() > sent + LAST_WORDS) {
                                world.note(
                                        "wire",
                                        "drops what came too late after its sender: " + message);
                            } else if (there.isOpen()) {
                                arrive(there, worker, message, call);
                            } else {
                                world.loop().after(latency(), () -> call.give(null));
                            }
                        });
    }

    private void arrive(
            SimulatedOrchestrator there, SimulatedWorker worker, WorkerMessage message, Call call) {
        var number = new long[1];
        number[0] =
                there.session()
                        .receive(
                                worker.id(),
                                message,
                                reply -> leave(there, worker, number[0], reply, call));
        if (message instanceof WorkerMessage.Poll && world.strikes(Trait.MESSAGES_LOST, 0.1)) {
            world.loop()
                    .after(
                            world.between(0, 30_000),
                            () -> {
                                call.give(null);
                                there.session().abandoned(number[0]);
                            });
        }
    }

    private void leave(
            SimulatedOrchestrator there,
            SimulatedWorker worker,
            long number,
            @Nullable SessionReply reply,
            Call call) {
        var lost = call.isOver() || isLost(worker);
        if (reply instanceof SessionReply.Tasks) {
            if (lost && (call.isOver() || world.chance(0.5))) {
                there.session().notWritten(number);
            } else {
                there.session().written(number);
            }
        }
        if (!lost) {
            world.loop().after(latency(), () -> call.give(reply));
        }
    }

    private boolean isLost(SimulatedWorker worker) {
        return worker.isCutOff() || world.strikes(Trait.MESSAGES_LOST, 0.08);
    }

    private long latency() {
        return world.strikes(Trait.MESSAGES_DELAYED, 0.1)
                ? world.between(0, 45_000)
                : world.between(0, 5);
    }
}
