package dev.artel.e2e.wires;

import static dev.artel.e2e.wires.WireNode.TASK;
import static dev.artel.e2e.wires.WireNode.WORKER;
import static dev.artel.e2e.wires.WireNode.done;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.JobHandle;
import dev.artel.client.JobStatus;
import dev.artel.config.ZeroMqSettings;
import dev.artel.e2e.wires.WireNode.Text;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import dev.artel.worker.Handler;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import dev.artel.worker.WorkerBuilder;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Workers of the SDK behave alike on each wire, and take their tasks along when they change it.
@Timeout(Await.HUNG)
final class WorkerWiresTest {
    enum Wire {
        HTTP {
            @Override
            URI at(WireNode node) {
                return node.http();
            }
        },
        WEBSOCKET {
            @Override
            URI at(WireNode node) {
                return node.websocket();
            }

            @Override
            Way way(WireNode node) {
                var relays = Way.to(List.of(node.port()));
                return new Way(URI.create("ws://127.0.0.1:" + relays.getFirst().port()), relays);
            }
        },
        ZEROMQ {
            @Override
            URI at(WireNode node) {
                return node.zeromq();
            }

            @Override
            Way way(WireNode node) {
                var relays = Way.to(node.zeromqPorts());
                var ports = relays.stream().map(TcpRelay::port).toList();
                return new Way(WireNode.zeromq(ports), relays);
            }
        },
        MINDBUS {
            @Override
            URI at(WireNode node) {
                return node.mindbus();
            }
        };

        abstract URI at(WireNode node);

        /// A way to the node that can be closed.
        Way way(WireNode node) {
            var relays = Way.to(List.of(node.port()));
            return new Way(URI.create("http://127.0.0.1:" + relays.getFirst().port()), relays);
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// Addresses of the orchestrator behind relays.
    record Way(URI uri, List<TcpRelay> relays) implements AutoCloseable {
        static List<TcpRelay> to(List<Integer> ports) {
            return ports.stream().map(TcpRelay::to).toList();
        }

        void open() {
            relays.forEach(TcpRelay::open);
        }

        void shut() {
            relays.forEach(TcpRelay::shut);
        }

        @Override
        public void close() {
            shut();
        }
    }

    @TempDir Path folder;

    private WireNode node;
    private final List<Worker> workers = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore gate = new Semaphore(0);

    @BeforeEach
    void start() {
        var broker =
                RabbitServer.isInstalled()
                        ? Optional.of(RabbitServer.shared().uri())
                        : Optional.<URI>empty();
        node = new WireNode(folder.resolve("data"), ZeroMqSettings.Curve.NONE, broker);
    }

    @AfterEach
    void stop() {
        gate.release(1000);
        workers.forEach(Worker::close);
        node.close();
    }

    private Worker worker(
            List<URI> uris, UnaryOperator<WorkerBuilder> more, Handler<Text> handler) {
        var builder =
                Worker.named("w1")
                        .orchestrator(uris, WORKER)
                        .maxConcurrentTasks(4)
                        .lease(Duration.ofSeconds(10))
                        .longestBackoff(Duration.ofSeconds(1))
                        .drainTimeout(Duration.ofSeconds(1))
                        .withoutShutdownHook()
                        .handle(TASK, handler);
        var worker = more.apply(builder).build();
        workers.add(worker);
        worker.start();
        return worker;
    }

    private Worker worker(Wire wire, Handler<Text> handler) {
        return worker(List.of(wire.at(node)), builder -> builder, handler);
    }

    private static Result shout(Text text) {
        return Result.success(
                JsonObject.of("text", JsonValue.of(text.text().toUpperCase(Locale.ROOT))));
    }

    /// Begins, and waits for the gate.
    private Result held(Text text) throws InterruptedException {
        begun.incrementAndGet();
        if (!gate.tryAcquire(Await.seconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("nobody opened the gate");
        }
        return shout(text);
    }

    private void awaitBegun(int tasks) {
        await(tasks + " tasks have begun").until(() -> begun.get() == tasks);
    }

    @ParameterizedTest
    @EnumSource
    void itDoesTasks_severalAtOnce_andTheFleetShowsTheWire(Wire wire) {
        worker(wire, (text, _) -> held(text));
        var jobs = new ArrayList<JobHandle<Text>>();
        for (var i = 0; i < 12; i++) {
            jobs.add(node.submit("hello " + i));
        }
        awaitBegun(4);
        assertThat(node.wire("w1")).isEqualTo(wire.word());

        gate.release(12);

        for (var i = 0; i < 12; i++) {
            assertThat(done(jobs.get(i))).isEqualTo("HELLO " + i);
            assertThat(node.events(jobs.get(i), "lease.granted")).isEqualTo(1);
        }
        assertThat(begun.get()).isEqualTo(12);
    }

    @ParameterizedTest
    @EnumSource
    void whyHere_andWhyNotYet_nameTheWireOfTheWorker(Wire wire) {
        worker(
                List.of(wire.at(node)),
                builder -> builder.maxConcurrentTasks(1),
                (text, _) -> held(text));
        var placed = node.submit("first");
        awaitBegun(1);
        var waiting = node.submit("second");
        var why = "/jobs/" + waiting.ref().id() + "/tasks/0/why";
        await().until(() -> node.get(why).has("waits_because"));

        var notYet = node.get(why);
        var here = node.get("/jobs/" + placed.ref().id() + "/tasks/0/why");

        assertThat(wires(notYet, "eligibility")).containsExactly(wire.word());
        assertThat(wires(notYet.object("waits_because").orElseThrow(), "nearest"))
                .containsExactly(wire.word());
        var placement = here.object("last_placement").orElseThrow();
        assertThat(placement.string("winner")).contains("w1");
        assertThat(placement.string("wire")).contains(wire.word());
        assertThat(wires(placement, "best")).containsExactly(wire.word());
        assertThat(node.client().tasks(placed.ref()).getFirst().wire()).contains(wire.word());
        gate.release(2);
        done(waiting);
    }

    private static List<String> wires(JsonObject document, String list) {
        return document.array(list).orElseThrow().stream()
                .map(worker -> ((JsonObject) worker).string("wire").orElse(""))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MINDBUS")
    void progressAndLog_areKept(Wire wire) {
        worker(
                wire,
                (text, task) -> {
                    task.log("warn", "look out");
                    task.progress(0.5, "half way");
                    return held(text);
                });
        var job = node.submit("hello");

        await().until(() ->
                node.get("/jobs/" + job.ref().id() + "/tasks/0").toString().contains("half way"));
        gate.release();
        done(job);

        await().until(() ->
                node.get("/jobs/" + job.ref().id() + "/logs").toString().contains("look out"));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MINDBUS")
    void aQuestion_isAnswered_andTheSlotIsFreeMeanwhile(Wire wire) {
        worker(
                List.of(wire.at(node)),
                builder -> builder.maxConcurrentTasks(1),
                (text, task) ->
                        text.text().equals("ask")
                                ? shout(new Text(task.ask("which?", "this", "that")))
                                : shout(text));
        var asking = node.submit("ask");
        await().until(() -> !node.client().questions(asking.ref()).isEmpty());

        assertThat(done(node.submit("other"))).isEqualTo("OTHER");
        var question = node.client().questions(asking.ref()).getFirst();
        node.client().answer(asking.ref(), question.number(), "that");

        assertThat(done(asking)).isEqualTo("THAT");
    }

    @ParameterizedTest
    @EnumSource
    void aCancel_stopsTheTask(Wire wire) {
        var stopped = new AtomicInteger();
        worker(
                wire,
                (text, _) -> {
                    try {
                        return held(text);
                    } catch (InterruptedException e) {
                        stopped.incrementAndGet();
                        throw e;
                    }
                });
        var job = node.submit("hello");
        awaitBegun(1);

        job.cancel();

        await().until(() -> stopped.get() == 1);
        await().until(() -> job.status() == JobStatus.CANCELLED);
    }

    @ParameterizedTest
    @EnumSource
    void largeValues_arriveIntact_inBothDirections(Wire wire) {
        worker(
                List.of(wire.at(node)),
                builder -> builder.largeValues(folder.resolve("values"), 10_000),
                (text, _) -> shout(text));
        var text = "x".repeat(700_000);

        assertThat(done(node.submit(text))).isEqualTo("X".repeat(700_000));
    }

    @Test
    void largeValues_travelOverHttp_wherePushedTasksComeOverZeroMq() {
        try (var way = Wire.ZEROMQ.way(node)) {
            var uri =
                    URI.create(
                            way.uri()
                                    + "&http="
                                    + URLEncoder.encode(
                                            node.http().toString(), StandardCharsets.UTF_8));
            worker(
                    List.of(uri),
                    builder -> builder.largeValues(folder.resolve("values"), 10_000),
                    (text, _) -> shout(text));

            assertThat(done(node.submit("x".repeat(700_000)))).isEqualTo("X".repeat(700_000));
            assertThat(done(node.submit("y".repeat(9_000)))).isEqualTo("Y".repeat(9_000));

            assertThat(node.wire("w1")).isEqualTo("zeromq");
            var passed = way.relays().stream().mapToLong(TcpRelay::bytes).sum();
            assertThat(passed).as("bytes over ZeroMQ").isBetween(18_000L, 300_000L);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLargeResult_arrivesIntact_withoutSettings(Wire wire) {
        worker(wire, (text, _) -> shout(new Text(text.text().repeat(900_000))));

        assertThat(done(node.submit("x"))).isEqualTo("X".repeat(900_000));
    }

    @ParameterizedTest
    @EnumSource
    void aRestartOfTheOrchestrator_isAPause_andTheTaskIsDoneOnce(Wire wire) {
        worker(wire, (text, _) -> held(text));
        var job = node.submit("hello");
        awaitBegun(1);

        node.stop();
        gate.release();
        node.startAgain();

        await().until(() -> node.client().find(job.ref()).status() == JobStatus.FINISHED);
        assertThat(begun.get()).isEqualTo(1);
        assertThat(
                        node.client().history(job.ref()).stream()
                                .filter(event -> event.type().equals("lease.granted")))
                .hasSize(1);
        gate.release();
        assertThat(done(node.submit("again"))).isEqualTo("AGAIN");
    }

    @ParameterizedTest
    @EnumSource
    void aWorkerThatStops_givesItsTaskBack_andLeaves(Wire wire) {
        var first = worker(wire, (text, _) -> held(text));
        var job = node.submit("hello");
        awaitBegun(1);

        first.close();

        await().until(() -> node.get("/workers/w1").string("state").orElse("").equals("offline"));
        worker(wire, (text, _) -> shout(text));
        assertThat(done(job)).isEqualTo("HELLO");
    }

    @ParameterizedTest
    @EnumSource(names = {"WEBSOCKET", "ZEROMQ"})
    void aFirstWireThatDoesNotWork_isLeftForTheNext_andUsedWhenItWorks(Wire wire) {
        try (var way = wire.way(node)) {
            way.shut();
            worker(List.of(way.uri(), node.http()), builder -> builder, (text, _) -> shout(text));

            assertThat(done(node.submit("over http"))).isEqualTo("OVER HTTP");
            assertThat(node.wire("w1")).isEqualTo("http");

            way.open();
            node.awaitWire("w1", wire.word());
            assertThat(done(node.submit("pushed"))).isEqualTo("PUSHED");

            way.shut();
            node.awaitWire("w1", "http");
            assertThat(done(node.submit("http again"))).isEqualTo("HTTP AGAIN");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "WEBSOCKET,HTTP",
        "ZEROMQ,HTTP",
        "WEBSOCKET,ZEROMQ",
        "ZEROMQ,WEBSOCKET",
        "HTTP,WEBSOCKET"
    })
    void aTaskInWork_goesAlong_toTheNextWireAndBack_andItsResultCountsOnce(Wire from, Wire to) {
        try (var way = from.way(node)) {
            worker(List.of(way.uri(), to.at(node)), builder -> builder, (text, _) -> held(text));
            node.awaitWire("w1", from.word());
            var first = node.submit("one");
            var second = node.submit("two");
            awaitBegun(2);
            assertThat(node.wire("w1")).isEqualTo(from.word());

            way.shut();
            node.awaitWire("w1", to.word());
            gate.release();
            await().until(() -> isFinished(first) || isFinished(second));
            way.open();
            node.awaitWire("w1", from.word());
            gate.release();

            assertThat(done(first)).isEqualTo("ONE");
            assertThat(done(second)).isEqualTo("TWO");
            assertThat(begun.get()).isEqualTo(2);
            for (var job : List.of(first, second)) {
                assertThat(node.events(job, "lease.granted")).isEqualTo(1);
                assertThat(node.events(job, "lease.lost")).isZero();
            }
        }
    }

    private static boolean isFinished(JobHandle<Text> job) {
        return job.status() == JobStatus.FINISHED;
    }

    @ParameterizedTest
    @EnumSource(names = {"WEBSOCKET", "ZEROMQ"})
    void manyTasks_areDoneOnceEach_whileTheWireBreaksAgainAndAgain(Wire wire) {
        try (var way = wire.way(node)) {
            worker(
                    List.of(way.uri(), node.http()),
                    builder -> builder,
                    (text, _) -> {
                        Thread.sleep(20);
                        return shout(text);
                    });
            var jobs = new ArrayList<JobHandle<Text>>();
            for (var round = 0; round < 5; round++) {
                for (var i = 0; i < 40; i++) {
                    jobs.add(node.submit("job " + jobs.size()));
                }
                if (round % 2 == 0) {
                    way.shut();
                    node.awaitWire("w1", "http");
                } else {
                    way.open();
                    node.awaitWire("w1", wire.word());
                }
            }

            var lost = new ArrayList<String>();
            for (var i = 0; i < jobs.size(); i++) {
                assertThat(done(jobs.get(i))).isEqualTo("JOB " + i);
                assertThat(node.events(jobs.get(i), "task.succeeded")).isOne();
                if (node.events(jobs.get(i), "lease.lost") > 0) {
                    lost.add(node.history(jobs.get(i)));
                }
            }
            assertThat(lost).isEmpty();
        }
    }
}
