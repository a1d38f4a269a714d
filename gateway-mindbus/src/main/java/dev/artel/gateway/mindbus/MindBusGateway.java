package dev.artel.gateway.mindbus;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.Registration;
import dev.artel.kernel.task.Payload;
import dev.artel.log.LinesAMinute;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Register;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves agents on RabbitMQ: one connection on which commands leave, one on which answers and events come. The broker need not be
/// there yet. Safe for use by many threads.
public final class MindBusGateway implements AutoCloseable {
    /// The name of the wire, as the fleet shows it.
    public static final String WIRE = "mindbus";

    private static final Logger LOG = LoggerFactory.getLogger(MindBusGateway.class);
    private static final Duration LOOK = Duration.ofSeconds(1);

    /// How often exchange and bindings are declared again.
    private static final Duration BIND = Duration.ofSeconds(5);

    private final BusCounts counts = new BusCounts();
    private final NodeRegistry registry;
    private final CommandPublisher publisher;
    private final Commands commands;
    private final AgentControls controls;
    private final BusQueues queues;
    private final BusConnection outgoing;
    private final BusConnection incoming;
    private final Consumer<Throwable> fatal;

    /// What fails each second.
    private final LinesAMinute failures = new LinesAMinute(6);

    private final ScheduledExecutorService timer =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("artel-mindbus-timer").factory());

    /// What the gateway needs of the orchestrator.
    ///
    /// @param assignments how tasks are written, on all wires
    /// @param known the registrations of workers with earlier processes of the orchestrator
    /// @param params what a task was given, as its job has it; empty if the job is gone. May wait
    /// @param names which names agents may have: who publishes on the exchange is not known otherwise
    /// @param fleet holds agents back
    /// @param clock a monotonic one, by which silence is measured
    /// @param fatal receives an error after which agents cannot be served any more
    public record Orchestrator(
            SessionShell shell,
            TaskAssignments assignments,
            List<Registration> known,
            Function<HandOut, Optional<Payload>> params,
            AgentNames names,
            AgentFleet fleet,
            InstantSource clock,
            Consumer<Throwable> fatal) {
        /// Copies `known`.
        public Orchestrator {
            known = List.copyOf(known);
        }
    }

    /// Begins to connect; agents are served as soon as the broker is there.
    ///
    /// @throws IllegalArgumentException if the address of the broker cannot be used
    public static MindBusGateway open(Orchestrator orchestrator, MindBusConfig config) {
        return open(orchestrator, config, PassportRoom.share());
    }

    /// @param passports how many bytes what agents have declared may take
    static MindBusGateway open(Orchestrator orchestrator, MindBusConfig config, long passports) {
        var gateway = new MindBusGateway(orchestrator, config, new PassportRoom(passports));
        gateway.outgoing.start();
        gateway.incoming.start();
        return gateway;
    }

    private MindBusGateway(
            Orchestrator orchestrator, MindBusConfig config, PassportRoom passports) {
        var shell = orchestrator.shell();
        var wallClock = InstantSource.system();
        fatal = orchestrator.fatal();
        publisher = new CommandPublisher(config.exchange(), counts, this::ready);
        var bodies = new CommandBodies(config, orchestrator.assignments(), wallClock);
        commands = new Commands(shell, publisher, bodies, counts, wallClock, orchestrator.params());
        registry =
                new NodeRegistry(
                        shell,
                        commands,
                        config,
                        orchestrator.names(),
                        orchestrator.fleet(),
                        orchestrator.clock(),
                        passports);
        controls = new AgentControls(registry, orchestrator.fleet(), config);
        registry.recall(orchestrator.known().stream().flatMap(MindBusGateway::passport).toList());
        queues =
                new BusQueues(
                        config,
                        new CommandAnswers(shell, commands, counts, config.door()),
                        new NodeEvents(registry, wallClock),
                        controls,
                        registry,
                        counts,
                        new DeadLetterLog(config.deadLetterQueue()),
                        orchestrator.clock(),
                        fatal);
        outgoing = new BusConnection("commands", config, publisher, fatal);
        incoming = new BusConnection("replies", config, queues, fatal);
        var _ =
                timer.scheduleWithFixedDelay(
                        this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
        var _ =
                timer.scheduleWithFixedDelay(
                        queues::bindAgain, BIND.toMillis(), BIND.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Stream<Passport> passport(Registration registration) {
        try {
            return Passport.recalled(Register.read(registration.words())).stream();
        } catch (MalformedMessage unreadable) {
            LOG.atWarn()
                    .addKeyValue("worker", registration.worker())
                    .addKeyValue("cause", unreadable.getMessage())
                    .log("a registration from before the restart cannot be read");
            return Stream.empty();
        }
    }

    private void ready() {
        // A channel that was closed as the exchange is gone has declared it again.
        queues.bindAgain();
        registry.resume();
    }

    private void look() {
        look(() -> registry.look(queues.isOpen(), queues.readUntil()));
        look(queues::countEvents);
        look(commands::expire);
    }

    private void look(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException bug) {
            failures.log(LOG.atError().setCause(bug), "a look at the agents of the bus failed");
        } catch (Error error) {
            fatal.accept(error);
        }
    }

    /// Takes back what an agent has in work: each command is stopped with a `CONTROL`, and its task goes on as if the agent were gone.
    /// The agent comes back with its next heartbeat, drained if it is.
    ///
    /// @param shutsDown whether it is asked to end, too
    /// @return whether it was there
    public boolean stop(WorkerId agent, String reason, boolean shutsDown) {
        if (registry.uidOf(agent.value()).isEmpty()) {
            return false;
        }
        commands.stopAll(agent.value());
        if (shutsDown) {
            commands.shutdown(agent.value(), reason);
        }
        registry.stopped(agent.value(), reason);
        return true;
    }

    /// How many agents are there.
    public int agents() {
        return registry.size();
    }

    /// What it has met with.
    public BusCounts counts() {
        return counts;
    }

    /// Whether the broker takes no messages for now.
    public boolean isBlocked() {
        return publisher.isBlocked();
    }

    /// What is wrong with the connections; empty if both are there.
    public Optional<String> trouble() {
        return Stream.of(outgoing.trouble(), incoming.trouble())
                .flatMap(Optional::stream)
                .findFirst();
    }

    /// Whether both connections are there within `wait`.
    public boolean isConnectedWithin(Duration wait) throws InterruptedException {
        return outgoing.isOpenWithin(wait) && incoming.isOpenWithin(wait);
    }

    /// Which process of an agent is there.
    Optional<String> uidOf(String agent) {
        return registry.uidOf(agent);
    }

    /// Closes the connections. Agents go on with what they have; their answers wait in the queue.
    @Override
    public void close() {
        timer.shutdownNow();
        controls.close();
        outgoing.close();
        incoming.close();
    }
}
