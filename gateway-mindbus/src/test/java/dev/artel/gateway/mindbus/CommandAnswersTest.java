package dev.artel.gateway.mindbus;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.gateway.shell.TaskAssignments;
import dev.artel.gateway.shell.TaskParameters;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.WorkerPort;
import dev.artel.kernel.job.JobId;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.waits.Await;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How often an answer is tried again that the orchestrator cannot take.
@Timeout(Await.HUNG)
final class CommandAnswersTest {
    private static final InstantSource CLOCK = InstantSource.system();
    private static final LeaseToken TOKEN = LeaseToken.mint(new JobId("job-1"), 0, 1, 7);

    private final ReferenceEngine engine = new ReferenceEngine(CLOCK);
    private final SessionShell shell =
            new SessionShell(SessionSettings.DEFAULTS, CLOCK, (_, _, _, _) -> {});
    private final List<Duration> pauses = new CopyOnWriteArrayList<>();
    private final List<String> settled = new CopyOnWriteArrayList<>();

    /// Done before each other try.
    private Runnable onPause = () -> {};

    @AfterEach
    void close() {
        shell.close();
    }

    /// Trap: as many such answers as are read ahead keep those of all agents out for good, also
    /// after a restart.
    @Test
    void anAnswerThatMeetsWithAnErrorOfTheOrchestrator_isADeadLetterAfterSomeTries() {
        shell.connect(failing());

        answers().take(answer(), settlement());

        await().until(() -> !settled.isEmpty());
        assertThat(settled).singleElement().asString().contains("agent.test", "6 tries");
        assertThat(seconds()).containsExactly(1L, 2L, 4L, 8L, 16L);
    }

    @Test
    void anAnswerThatCannotBeKept_isADeadLetterAfterHours() {
        engine.refuseReports(new CommandReply.TryLater(Duration.ofSeconds(1), "the store is away"));
        shell.connect(engine);

        answers().take(answer(), settlement());

        await().until(() -> !settled.isEmpty());
        assertThat(settled).singleElement().asString().contains("1000 tries", "the store is away");
        assertThat(seconds()).hasSize(999).startsWith(1L, 2L, 4L, 8L, 16L, 30L).endsWith(30L);
    }

    @Test
    void anAnswerThatCanBeKeptAgain_isTaken() {
        engine.refuseReports(new CommandReply.TryLater(Duration.ofSeconds(1), "the store is away"));
        shell.connect(engine);
        onPause =
                () -> {
                    if (pauses.size() == 20) {
                        engine.refuseReports(null);
                    }
                };

        answers().take(answer(), settlement());

        await().until(() -> !settled.isEmpty());
        assertThat(settled).containsExactly("done");
        assertThat(pauses).hasSize(20);
    }

    private List<Long> seconds() {
        return pauses.stream().map(Duration::toSeconds).toList();
    }

    private CommandAnswers answers() {
        var counts = new BusCounts();
        var config = MindBusConfig.at(URI.create("amqp://localhost"));
        var commands =
                new Commands(
                        shell,
                        new CommandPublisher(config.exchange(), counts, () -> {}),
                        new CommandBodies(
                                config,
                                new TaskAssignments(
                                        new TaskParameters(_ -> {
                                            throw new IllegalStateException("nothing is sent");
                                        }),
                                        Optional.empty()),
                                CLOCK),
                        counts,
                        CLOCK,
                        task -> Optional.of(task.spec().params()));
        return new CommandAnswers(
                shell,
                commands,
                counts,
                BusDoor.OPEN,
                (pause, task) -> {
                    pauses.add(pause);
                    onPause.run();
                    Thread.ofVirtual().start(task);
                });
    }

    private CommandAnswers.Settlement settlement() {
        return new CommandAnswers.Settlement() {
            @Override
            public void done() {
                settled.add("done");
            }

            @Override
            public void failed(String problem) {
                settled.add(problem);
            }
        };
    }

    /// An engine with a bug that each report meets with.
    private WorkerPort failing() {
        return (WorkerPort)
                Proxy.newProxyInstance(
                        WorkerPort.class.getClassLoader(),
                        new Class<?>[] {WorkerPort.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("report")) {
                                throw new IllegalStateException("a bug");
                            }
                            try {
                                return method.invoke(engine, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        });
    }

    private static BusEvent answer() {
        var properties =
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .correlationId(TOKEN.value())
                        .build();
        var envelope =
                JsonObject.builder()
                        .put("specversion", new JsonString("1.0"))
                        .put("id", new JsonString("1"))
                        .put("type", new JsonString("ai.team.result"))
                        .put("source", new JsonString("agent.test"))
                        .put("data", TestAgent.success(JsonObject.EMPTY))
                        .build();
        return BusEvent.read(properties, JsonText.write(envelope));
    }
}
