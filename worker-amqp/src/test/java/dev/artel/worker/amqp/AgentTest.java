package dev.artel.worker.amqp;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A worker of the SDK as an agent on a real RabbitMQ, before an orchestrator that keeps to the contract and knows nothing of Artel.
@Timeout(Await.HUNG)
final class AgentTest {
    private static final Duration LONGEST = Await.longest();

    private final List<Worker> workers = new ArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore gate = new Semaphore(0);
    private final String name = "agent.java." + UUID.randomUUID().toString().substring(0, 8);
    private RabbitServer broker;
    private TestOrchestrator orchestrator;

    @BeforeEach
    void open() throws Exception {
        use(RabbitServer.shared());
    }

    private void use(RabbitServer other) throws Exception {
        broker = other;
        orchestrator = new TestOrchestrator(broker);
    }

    @AfterEach
    void close() {
        gate.release(1000);
        workers.forEach(Worker::close);
        if (orchestrator != null) {
            orchestrator.close();
        }
    }

    private Worker start(int slots) throws InterruptedException {
        var worker = worker(slots);
        worker.start();
        orchestrator.event("node.registered");
        return worker;
    }

    private Worker worker(int slots) {
        var worker =
                Worker.named(name)
                        .orchestrator(orchestrator.uri(), "")
                        .maxConcurrentTasks(slots)
                        .longestBackoff(Duration.ofMillis(500))
                        .drainTimeout(Await.longest())
                        .withoutShutdownHook()
                        .handle("echo", JsonObject.class, (params, _) -> Result.success(params))
                        .handle("hold", JsonObject.class, (_, _) -> held())
                        .handle("report", JsonObject.class, (_, task) -> report(task))
                        .handle("fail", JsonObject.class, (params, _) -> fail(params))
                        .build();
        workers.add(worker);
        return worker;
    }

    /// Begins, and waits for the gate.
    private Result held() throws InterruptedException {
        begun.incrementAndGet();
        if (!gate.tryAcquire(Await.seconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("nobody opened the gate");
        }
        return Result.success(JsonObject.EMPTY);
    }

    private Result report(TaskContext task) throws InterruptedException {
        task.progress(0.5, "half");
        task.spent("0.25", 1000);
        return held();
    }

    private static Result fail(JsonObject params) {
        throw switch (params.string("how").orElse("")) {
            case "invalid" -> new InvalidInput("not a number");
            case "permanent" -> new PermanentFailure("never");
            default -> new IllegalStateException("not now");
        };
    }

    private void awaitBegun(int tasks) {
        await().until(() -> begun.get() == tasks);
    }

    @Test
    void itRegistersWithAPassport_andSendsHeartbeats() throws Exception {
        worker(3).start();

        var registered = orchestrator.event("node.registered").event();
        var passport = registered.object("passport").orElseThrow();
        assertThat(registered.string("name")).hasValue(name);
        assertThat(passport.object("spec").orElseThrow().array("capabilities").orElseThrow())
                .hasSize(4);
        assertThat(passport.toString())
                .contains("\"concurrent_tasks\":3")
                .contains("\"capability.echo\":\"true\"")
                .contains("\"lease_duration_seconds\":3");
        var heartbeat = orchestrator.event("node.heartbeat").event();
        assertThat(heartbeat.string("node_id"))
                .isEqualTo(passport.object("metadata").orElseThrow().string("uid"));
        assertThat(heartbeat.string("status")).hasValue("READY");
    }

    @Test
    void aCommand_isAnsweredWithItsOutput_underItsId() throws Exception {
        start(1);
        var params = JsonObject.of("text", new JsonString("hello"));

        var id = orchestrator.command(name, "echo", params);

        var answer = orchestrator.answer();
        assertThat(answer.type()).isEqualTo("ai.team.result");
        assertThat(answer.properties().getCorrelationId()).isEqualTo(id);
        assertThat(answer.properties().getContentType()).isEqualTo("application/json");
        assertThat(answer.properties().getDeliveryMode()).isEqualTo(2);
        assertThat(answer.data().object("output")).hasValue(params);
        assertThat(answer.data().string("status")).hasValue("SUCCESS");
        assertThat(answer.data().number("execution_time_ms").map(JsonNumber::isLong))
                .hasValue(true);
    }

    @Test
    void failures_areErrorsWithTheirCodes() throws Exception {
        start(1);

        for (var expected :
                List.of(
                        List.of("invalid", "INVALID_ARGUMENT", false),
                        List.of("permanent", "FAILED_PRECONDITION", false),
                        List.of("transient", "INTERNAL", true))) {
            orchestrator.command(
                    name, "fail", JsonObject.of("how", new JsonString((String) expected.get(0))));
            var answer = orchestrator.answer();
            assertThat(answer.type()).isEqualTo("ai.team.error");
            assertThat(answer.code()).isEqualTo(expected.get(1));
            assertThat(answer.data().object("error").orElseThrow().get("retryable"))
                    .hasValue(JsonValue.of((boolean) expected.get(2)));
        }
    }

    @Test
    void anActionThatItDoesNotDo_andACommandThatCannotBeRead_areRefusedWithAnError()
            throws Exception {
        start(1);

        orchestrator.command(name, "paint", JsonObject.EMPTY);
        var unknown = orchestrator.answer();
        var id = UUID.randomUUID().toString();
        orchestrator.command(
                name,
                id,
                TestOrchestrator.data("echo", id, JsonObject.EMPTY)
                        .with("params", new JsonString("none")),
                20);
        var malformed = orchestrator.answer();

        assertThat(unknown.code()).isEqualTo("UNIMPLEMENTED");
        assertThat(unknown.data().toString()).contains("available_capabilities").contains("paint");
        assertThat(malformed.code()).isEqualTo("INVALID_ARGUMENT");
        assertThat(malformed.properties().getCorrelationId()).isEqualTo(id);
    }

    @Test
    void aCommandForAnotherNode_isDroppedWithoutAWord() throws Exception {
        start(1);
        var id = UUID.randomUUID().toString();
        var context = JsonObject.of("target_node", new JsonString("agent.other"));
        orchestrator.command(
                name,
                id,
                TestOrchestrator.data("echo", id, JsonObject.EMPTY).with("context", context),
                20);

        var next = orchestrator.command(name, "echo", JsonObject.EMPTY);

        assertThat(orchestrator.answer().properties().getCorrelationId()).isEqualTo(next);
    }

    /// Trap: answers that nobody read for long stand before those that an orchestrator waits for, once it is there again.
    @Test
    void anAnswer_expiresAsItsCommandDid() throws Exception {
        start(1);

        orchestrator.command(name, "echo", JsonObject.EMPTY);

        assertThat(orchestrator.answer().properties().getExpiration())
                .isEqualTo(TestOrchestrator.EXPIRATION);
    }

    @Test
    void itTakesAsManyCommandsAsItHasSlots_andTheRestByPriority() throws Exception {
        start(2);
        orchestrator.command(name, "hold", JsonObject.EMPTY);
        orchestrator.command(name, "hold", JsonObject.EMPTY);
        awaitBegun(2);
        var ordinary = send("echo", 20);
        var urgent = send("echo", 200);
        await().until(() -> waiting() == 2);

        gate.release();

        // One slot is free: what is urgent comes first.
        orchestrator.answer();
        assertThat(orchestrator.answer().properties().getCorrelationId()).isEqualTo(urgent);
        assertThat(orchestrator.answer().properties().getCorrelationId()).isEqualTo(ordinary);
        assertThat(begun).hasValue(2);
    }

    private String send(String action, int priority) throws Exception {
        var id = UUID.randomUUID().toString();
        orchestrator.command(
                name, id, TestOrchestrator.data(action, id, JsonObject.EMPTY), priority);
        return id;
    }

    /// How many commands wait on the broker.
    private int waiting() {
        return broker.control("list_queues", "-q", "name", "messages_ready")
                .lines()
                .filter(line -> line.startsWith("agent." + name) && !line.contains(".control"))
                .mapToInt(line -> Integer.parseInt(line.split("\t", -1)[1].strip()))
                .sum();
    }

    @Test
    void aCommandThatComesTwice_isDoneOnce_andAnsweredTwice() throws Exception {
        start(2);
        var key = UUID.randomUUID().toString();
        var data = TestOrchestrator.data("hold", key, JsonObject.EMPTY);
        orchestrator.command(name, key, data, 20);
        awaitBegun(1);

        // While it is in work, under another id and the same key; and when it is done.
        orchestrator.command(name, "second", data, 20);
        await().until(() -> waiting() == 0);
        gate.release();
        var first = orchestrator.answer();
        var second = orchestrator.answer();
        orchestrator.command(name, "third", data, 20);
        var third = orchestrator.answer();

        assertThat(List.of(correlation(first), correlation(second), correlation(third)))
                .containsExactlyInAnyOrder(key, "second", "third");
        assertThat(third.data().object("output")).isEqualTo(first.data().object("output"));
        assertThat(begun).hasValue(1);
    }

    private static String correlation(TestOrchestrator.Message message) {
        return message.properties().getCorrelationId();
    }

    @Test
    void progress_isAnEventAboutTheCommand_andWhatItCostIsInTheMetricsOfItsResult()
            throws Exception {
        start(1);

        var id = orchestrator.command(name, "report", JsonObject.EMPTY);

        var progress = orchestrator.event("task.progress").event();
        assertThat(progress.string("task_id")).hasValue(id);
        assertThat(progress.string("phase")).hasValue("half");
        assertThat(progress.number("progress").map(JsonNumber::asDouble)).hasValue(0.5);
        gate.release();
        assertThat(orchestrator.answer().data().object("metrics").orElseThrow().toString())
                .contains("0.25")
                .contains("1000");
    }

    @Test
    void aStop_endsTheCommand_alsoOneThatHasNotComeYet() throws Exception {
        start(1);
        var running = orchestrator.command(name, "hold", JsonObject.EMPTY);
        awaitBegun(1);
        var waiting = orchestrator.command(name, "hold", JsonObject.EMPTY);
        await().until(() -> waiting() == 1);

        orchestrator.control(name, "stop", JsonObject.of("task_id", new JsonString(waiting)));
        orchestrator.control(name, "stop", JsonObject.of("task_id", new JsonString(running)));

        for (var id : List.of(running, waiting)) {
            var answer = orchestrator.answer();
            assertThat(correlation(answer)).isEqualTo(id);
            assertThat(answer.code()).isEqualTo("CANCELLED");
        }
        assertThat(begun).hasValue(1);
    }

    /// Trap: the client of RabbitMQ ends the connection over such a table, and the message comes again over each next one.
    @Test
    void aTableThatIsNestedTooDeeply_isNotRead_andTheConnectionStays() throws Exception {
        start(1);
        Map<String, Object> table = Map.of();
        for (var depth = 1; depth < 40; depth++) {
            table = Map.of("a", table);
        }
        var properties =
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .headers(table)
                        .build();
        var own = name.replace('.', '_') + ".any";
        for (var key : List.of("ctl." + own, "cmd." + own)) {
            orchestrator
                    .channel()
                    .basicPublish(orchestrator.exchange(), key, properties, new byte[] {'{', '}'});
        }

        orchestrator.control(name, "pause", JsonObject.EMPTY);
        awaitStatus("NOT_READY");
        orchestrator.control(name, "resume", JsonObject.EMPTY);
        var id = orchestrator.command(name, "echo", JsonObject.EMPTY);

        assertThat(correlation(orchestrator.answer())).isEqualTo(id);
    }

    @Test
    void aPause_leavesCommandsOnTheBroker_untilTheResume() throws Exception {
        start(1);
        orchestrator.control(name, "pause", JsonObject.EMPTY);
        awaitStatus("NOT_READY");

        orchestrator.command(name, "echo", JsonObject.EMPTY);
        await().until(() -> waiting() == 1);
        assertThat(orchestrator.hasAnswer()).isFalse();
        orchestrator.control(name, "resume", JsonObject.EMPTY);

        assertThat(orchestrator.answer().type()).isEqualTo("ai.team.result");
        awaitStatus("READY");
    }

    private void awaitStatus(String status) throws InterruptedException {
        var event = orchestrator.event("node.heartbeat").event();
        while (!event.string("status").orElse("").equals(status)) {
            event = orchestrator.event("node.heartbeat").event();
        }
    }

    @Test
    void anExchangeThatIsDeleted_isDeclaredAgain_andTheAgentGetsItsCommands() throws Exception {
        start(1);

        orchestrator.channel().exchangeDelete(orchestrator.exchange());

        var binding = orchestrator.exchange() + "\tcmd." + name.replace('.', '_') + ".#";
        await().until(() ->
                broker.control("list_bindings", "-q", "source_name", "routing_key")
                        .lines()
                        .anyMatch(line -> line.strip().equals(binding)));
        var id = orchestrator.command(name, "echo", JsonObject.EMPTY);
        assertThat(orchestrator.answer().properties().getCorrelationId()).isEqualTo(id);
    }

    @Test
    void aShutdown_letsTheCommandEnd_andLeavesNothingOnTheBroker() throws Exception {
        var worker = start(1);
        var id = orchestrator.command(name, "hold", JsonObject.EMPTY);
        awaitBegun(1);

        orchestrator.control(name, "shutdown", JsonObject.EMPTY);
        awaitStatus("NOT_READY");
        gate.release();

        assertThat(correlation(orchestrator.answer())).isEqualTo(id);
        assertThat(orchestrator.event("node.deregistered").event().string("reason"))
                .hasValue("GracefulShutdown");
        assertThat(worker.awaitStopped(LONGEST)).isTrue();
        await().until(() -> !broker.control("list_queues", "-q", "name").contains(name));
    }

    @Test
    void aSecondWorkerUnderTheSameName_isNotLetIn_untilTheFirstIsGone() throws Exception {
        var first = start(1);
        var second = worker(1);
        second.start();
        var id = orchestrator.command(name, "echo", JsonObject.EMPTY);
        assertThat(correlation(orchestrator.answer())).isEqualTo(id);
        assertThat(orchestrator.hasAnswer()).isFalse();

        first.close();

        orchestrator.event("node.registered");
    }

    @Test
    void aWorkerThatNobodyListensTo_registersWhenSomebodyDoes() throws Exception {
        orchestrator.channel().queueUnbind("events." + suffix(), orchestrator.exchange(), "evt.#");
        worker(1).start();
        await().until(() -> broker.control("list_queues", "-q", "name").contains(name));

        orchestrator.channel().queueBind("events." + suffix(), orchestrator.exchange(), "evt.#");

        assertThat(orchestrator.event("node.registered").event().string("name")).hasValue(name);
    }

    private String suffix() {
        return orchestrator.exchange().substring("bus.".length());
    }

    @Test
    void aBrokerThatIsKilledDuringACommand_getsTheAnswerWhenItIsBack() throws Exception {
        orchestrator.close();
        try (var own = RabbitServer.own()) {
            use(own);
            start(1);
            var id = orchestrator.command(name, "hold", JsonObject.EMPTY);
            awaitBegun(1);

            own.kill();
            gate.release();
            own.startAgain();
            orchestrator.again();

            assertThat(orchestrator.event("node.registered").event().string("name")).hasValue(name);
            assertThat(correlation(orchestrator.answer())).isEqualTo(id);
            assertThat(begun).hasValue(1);
            var next = orchestrator.command(name, "echo", JsonObject.EMPTY);
            var answer = orchestrator.answer();
            while (correlation(answer).equals(id)) {
                answer = orchestrator.answer();
            }
            assertThat(correlation(answer)).isEqualTo(next);
            workers.forEach(Worker::close);
        }
    }

    @Test
    void aWorkerThatIsClosedWhileTheBrokerIsGone_ends() throws Exception {
        orchestrator.close();
        try (var own = RabbitServer.own()) {
            use(own);
            var worker = start(1);
            own.kill();

            worker.close();

            assertThat(worker.awaitStopped(LONGEST)).isTrue();
        }
    }

    @Test
    void theUserOfTheLogin_isInEachMessage_whereTheAddressAsksForIt() throws Exception {
        broker.control("add_user", name, "secret");
        broker.control("set_permissions", name, ".*", ".*", ".*");
        var worker =
                Worker.named(name)
                        .orchestrator(
                                URI.create(
                                        broker.uriOf(name, "secret")
                                                + "?lease=3&user-id=true&exchange="
                                                + orchestrator.exchange()),
                                "")
                        .withoutShutdownHook()
                        .handle("echo", JsonObject.class, (params, _) -> Result.success(params))
                        .build();
        workers.add(worker);
        worker.start();

        assertThat(orchestrator.event("node.registered").properties().getUserId()).isEqualTo(name);
        orchestrator.command(name, "echo", JsonObject.EMPTY);
        assertThat(orchestrator.answer().properties().getUserId()).isEqualTo(name);
    }

    @Test
    void anAddressThatAsksForTheUserInAnotherWay_isRefused() {
        assertThatThrownBy(() -> AgentAddress.of(URI.create("amqp://localhost/%2f?user-id=maybe")))
                .hasMessageContaining("user-id is true or false, was 'maybe'");
    }
}
