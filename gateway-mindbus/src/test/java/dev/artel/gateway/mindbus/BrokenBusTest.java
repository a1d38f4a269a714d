package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.testkit.broker.RabbitServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// A broker that restarts, blocks, closes channels and refuses logins: each test has one of its own, and mostly waits for it.
@Execution(ExecutionMode.CONCURRENT)
final class BrokenBusTest extends BusTestCase {
    @BeforeEach
    @Override
    void open() throws Exception {
        broker = RabbitServer.own();
        opened.add(broker);
        server = BusServer.on(broker);
    }

    @AfterEach
    @Override
    void close() throws Exception {
        super.close();
    }

    @Test
    void aBrokerThatIsKilled_losesNoTask() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        agent.command();

        broker.kill();
        awaitTrue(() -> server.gateway().trouble().isPresent());
        broker.startAgain();

        server.awaitConnected();
        assertThat(server.gateway().uidOf(agent.name)).hasValue(agent.uid);
        // The agents of the contract end with their connection, and are started anew.
        var again = agent(agent.name);
        again.register(600, "echo");
        awaitTrue(() -> server.engine.endings(job).contains(LeaseEnd.Lost.WORKER_RESTARTED));
        again.succeed(again.command(), JsonObject.EMPTY);
        awaitReport(job);
        assertThat(server.engine.applied(job)).hasSize(1);
    }

    @Test
    void aConnectionThatTheBrokerCloses_isOpenedAgain_andTheTaskGoesOn() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();
        var received = server.gateway().counts().received();
        assertThat(received).isPositive();

        broker.control("eval", CLOSE_CONNECTIONS_OF_THE_ORCHESTRATOR);
        server.awaitConnected();

        agent.succeed(command, json("{\"text\":\"kept\"}"));
        assertThat(output(awaitReport(job))).isEqualTo(json("{\"text\":\"kept\"}"));
        assertThat(server.engine.endings(job)).isEmpty();
        var next = server.engine.submit("echo");
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(next);
    }

    private static final String CLOSE_CONNECTIONS_OF_THE_ORCHESTRATOR =
            "[rabbit_networking:close_connection(P, \"test\") || P <- rabbit_networking:connections(),"
                    + " lists:keyfind(<<\"connection_name\">>, 1,"
                    + " proplists:get_value(client_properties, rabbit_networking:connection_info(P, [client_properties])))"
                    + " =/= {<<\"connection_name\">>, longstr, <<\"test\">>}].";

    @Test
    void aQueueThatIsDeleted_isDeclaredAgain() throws Exception {
        var agent = present("echo");

        agent.channel().queueDelete(server.config.replyQueue());

        awaitTrue(() -> hasQueue(server.config.replyQueue()));
        server.awaitConnected();
        var job = server.engine.submit("echo");
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(job);
    }

    /// The broker closes the channel of commands since it publishes to an exchange that is gone.
    @Test
    void aChannelThatTheBrokerCloses_isOpenedAgain_andNothingIsLost() throws Exception {
        var working = present("echo");
        var waiting = present("draw");
        var inWork = server.engine.submit("echo");
        var command = working.command();

        working.channel().exchangeDelete(server.config.exchange());
        var next = server.engine.submit("draw");
        working.succeed(command, json("{\"text\":\"kept\"}"));

        assertThat(output(awaitReport(inWork))).isEqualTo(json("{\"text\":\"kept\"}"));
        awaitTrue(this::isBound);
        server.awaitConnected();
        waiting.listen("cmd." + waiting.name.replace('.', '_') + ".#");
        // The orchestrator may hear after a heartbeat that the command came back before.
        awaitTrue(() -> {
            waiting.heartbeat();
            return waiting.hasCommand();
        });
        waiting.succeed(waiting.command(), json("{\"text\":\"late\"}"));
        assertThat(output(awaitReport(next))).isEqualTo(json("{\"text\":\"late\"}"));
        assertThat(server.engine.applied(inWork)).hasSize(1);
        assertThat(server.engine.endings(inWork)).isEmpty();
    }

    @Test
    void anExchangeThatIsDeleted_isDeclaredAgainWithItsBindings_overTheSameConnection()
            throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();
        var connections = connections();

        agent.channel().exchangeDelete(server.config.exchange());

        awaitTrue(this::isBound);
        assertThat(connections()).isEqualTo(connections);
        assertThat(server.gateway().trouble()).isEmpty();
        agent.succeed(command, JsonObject.EMPTY);
        awaitReport(job);
        var late = present("draw");
        var drawing = server.engine.submit("draw");
        late.succeed(late.command(), JsonObject.EMPTY);
        awaitReport(drawing);
    }

    /// The broker refuses the declaration of the queue, and closes the channel each time.
    @Test
    void aQueueThatAnotherDeclaresWithOtherArguments_isTakenBackWhenItIsGone_andTheTaskGoesOn()
            throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        takeTheQueueOfReplies(agent);
        awaitTrue(() ->
                server.gateway()
                        .trouble()
                        .filter(why -> why.contains("with other properties"))
                        .isPresent());
        agent.channel().queueDelete(server.config.replyQueue());

        server.awaitConnected();
        agent.succeed(command, json("{\"text\":\"kept\"}"));
        assertThat(output(awaitReport(job))).isEqualTo(json("{\"text\":\"kept\"}"));
        assertThat(server.engine.endings(job)).isEmpty();
    }

    /// The gateway may be the first to declare it again.
    private void takeTheQueueOfReplies(TestAgent agent) throws Exception {
        var queue = server.config.replyQueue();
        try (var connection = TestAgent.connect(broker)) {
            awaitTrue(() -> {
                agent.channel().queueDelete(queue);
                var channel = connection.createChannel();
                try {
                    channel.queueDeclare(queue, true, false, false, Map.of());
                    return true;
                } catch (IOException refused) {
                    return false;
                } finally {
                    channel.abort();
                }
            });
        }
    }

    private boolean isBound() {
        return broker.control("list_bindings", "-q", "source_name", "destination_name")
                .lines()
                .anyMatch(line ->
                        line.strip()
                                .equals(
                                        server.config.exchange()
                                                + "\t"
                                                + server.config.eventQueue()));
    }

    private List<String> connections() {
        return broker.control("list_connections", "-q", "pid").lines().sorted().toList();
    }

    private boolean hasQueue(String name) {
        return broker.control("list_queues", "-q", "name").contains(name);
    }

    @Test
    void aBrokerThatIsShortOfMemory_getsNoTasks_andGetsThemWhenItHasSomeAgain() throws Exception {
        var agent = present("echo");
        var first = server.engine.submit("echo");
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(first);

        broker.control("set_vm_memory_high_watermark", "0");
        // RabbitMQ blocks a connection when that sends something.
        var second = server.engine.submit("echo");
        awaitTrue(() -> server.gateway().isBlocked());
        var third = server.engine.submit("echo");
        assertThat(server.engine.applied(third)).isEmpty();

        broker.control("set_vm_memory_high_watermark", "0.4");

        // In any order, and the second one twice if its confirm came too late.
        awaitTrue(() -> {
            while (agent.hasCommand()) {
                agent.succeed(agent.command(), JsonObject.EMPTY);
            }
            return !server.engine.applied(second).isEmpty()
                    && !server.engine.applied(third).isEmpty();
        });
    }

    @Test
    void aLoginThatIsRefused_isReportedWithTheUserAndTheSetting_andTriedAgain() throws Exception {
        try (var refused =
                new BusServer(
                        new MindBusConfig(
                                broker.uriOf("artel", "wrong"),
                                "refused",
                                "refused",
                                server.config.seeds(),
                                server.config.terms(),
                                10,
                                MindBusConfig.MAX_MESSAGE_BYTES,
                                MindBusConfig.COMMANDS_PER_SECOND,
                                BusDoor.OPEN))) {
            awaitTrue(() ->
                    refused.gateway()
                            .trouble()
                            .filter(why -> why.contains("refuses the login of 'artel'"))
                            .isPresent());
            assertThat(refused.gateway().trouble().orElseThrow())
                    .contains("correct user and password in mindbus.uri")
                    .doesNotContain("wrong");

            broker.control("add_user", "artel", "wrong");
            broker.control("set_permissions", "-p", "/", "artel", ".*", ".*", ".*");

            refused.awaitConnected();
        }
    }

    @Test
    void aQueueWithOtherArguments_isReportedByItsName() throws Exception {
        try (var connection = TestAgent.connect(broker);
                var channel = connection.createChannel()) {
            channel.queueDeclare("orchestrator.responses.other", true, false, false, Map.of());
        }
        try (var refused = new BusServer(server.config.withNodeId("other"))) {
            awaitTrue(() ->
                    refused.gateway()
                            .trouble()
                            .filter(why ->
                                    why.contains("with other properties")
                                            && why.contains("orchestrator.responses.other"))
                            .isPresent());
        }
    }

    /// Trap: an agent whose process is away for a moment gets the command from the queue that it left behind; nobody answers.
    @Test
    void aCommandInAQueueWithoutAnAgent_endsWithTheAgent() throws Exception {
        var agent = agent();
        agent.register(3, "echo");
        awaitTrue(() -> {
            agent.heartbeat();
            return server.gateway().uidOf(agent.name).isPresent();
        });
        agent.channel().queueDeclare("mindbus.orphan", true, false, false, Map.of());
        agent.channel()
                .queueBind(
                        "mindbus.orphan",
                        server.config.exchange(),
                        "cmd." + agent.name.replace('.', '_') + ".#");
        agent.close();
        var other = agent();

        var job = server.engine.submit("echo");
        awaitTrue(() -> {
            other.heartbeatOf(agent, "READY");
            return server.engine.holder(job).isPresent();
        });

        awaitTrue(() -> server.engine.endings(job).contains(LeaseEnd.Lost.WORKER_GONE));
        // It may have been gone before as well, where a busy machine was late with a heartbeat.
        awaitTrue(() -> server.engine.isQueued(job));
    }
}
