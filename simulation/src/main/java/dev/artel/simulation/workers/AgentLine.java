package dev.artel.simulation.workers;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import dev.artel.protocol.WorkerMessage;
import dev.artel.session.PushTerms;
import dev.artel.simulation.orchestrator.PushLine;
import dev.artel.simulation.orchestrator.SimulatedOrchestrator;
import dev.artel.simulation.orchestrator.SimulatedSession;
import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The way of tasks to an agent on a broker. It outlives the processes of the agent; a command is accepted when the broker has it, and
/// what was not published when the orchestrator dies never is. A command that comes again under its id is not done again by the same
/// process.
final class AgentLine implements PushLine {
    private static final long DELIVERED_WITHIN = 60;

    /// Parameters may have to be read before.
    private static final long PUBLISHED_WITHIN = 4_000;

    private static final long SILENCE = 60_000;
    private static final long LOOK = 5_000;

    private final World world;
    private final Supplier<SimulatedOrchestrator> orchestrator;
    private final SimulatedWorker agent;
    private final SplittableRandom random;
    private final PushTerms terms = new PushTerms("agents", Duration.ofSeconds(5), true);
    private final Set<LeaseToken> had = new HashSet<>();

    /// What the broker has for the agent, which may stand still.
    private final Set<LeaseToken> underWay = new HashSet<>();

    /// Null while there is no channel.
    private @Nullable SimulatedSession session;

    private long socket;
    private long heard;

    AgentLine(World world, Supplier<SimulatedOrchestrator> orchestrator, SimulatedWorker agent) {
        this.world = world;
        this.orchestrator = orchestrator;
        this.agent = agent;
        random = world.random(Trait.AGENTS);
        look();
    }

    /// Whether there is a channel in the process of the orchestrator that is there now.
    boolean isOpen() {
        return session != null;
    }

    /// The agent lives.
    void heard() {
        heard = world.loop().now();
    }

    /// The agent has registered.
    void open() {
        var there = orchestrator.get();
        if (session != null || !there.isOpen()) {
            return;
        }
        var opened = there.session();
        session = opened;
        socket = opened.opened(agent.id(), terms, this);
        if (!world.has(Mutant.COMMANDS_NOT_REPEATED)) {
            // The answers that waited have been read before.
            world.loop()
                    .after(
                            random.nextLong(1_000),
                            () -> {
                                if (session == opened) {
                                    opened.repeats(socket);
                                }
                            });
        }
    }

    /// Another process of the agent is there: it has had nothing yet.
    void startsAnew() {
        had.clear();
        underWay.clear();
    }

    /// Whether a task is on its way to the agent.
    boolean isUnderWay(LeaseToken token) {
        return underWay.contains(token);
    }

    private void look() {
        world.loop()
                .after(
                        LOOK,
                        () -> {
                            if (session != null && world.loop().now() > heard + SILENCE) {
                                ends(session);
                            }
                            look();
                        });
    }

    private void ends(SimulatedSession there) {
        there.closed(socket, "the agent is silent");
        there.receive(agent.id(), new WorkerMessage.Disconnect(agent.id().value()), _ -> {});
    }

    @Override
    public void push(List<HandOut> tasks) {
        var there = session;
        var number = socket;
        if (there == null) {
            return;
        }
        for (var task : tasks) {
            world.loop()
                    .after(
                            random.nextLong(
                                    random.nextInt(3) == 0 ? PUBLISHED_WITHIN : DELIVERED_WITHIN),
                            () -> {
                                if (session == there && socket == number) {
                                    there.accepted(number, task.lease().token());
                                    underWay.add(task.lease().token());
                                    agent.later(
                                            random.nextLong(DELIVERED_WITHIN), () -> take(task));
                                }
                            });
        }
    }

    private void take(HandOut task) {
        underWay.remove(task.lease().token());
        if (had.add(task.lease().token())) {
            agent.begin(task);
        }
    }

    @Override
    public void cancel(CancelTask cancel) {
        var token = cancel.leaseToken() == null ? cancel.taskId() : cancel.leaseToken();
        agent.later(random.nextLong(DELIVERED_WITHIN), () -> agent.cancel(List.of(token)));
    }

    @Override
    public void closed(String reason) {
        session = null;
    }
}
