package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskReport;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Commands and their answers, message by message.
final class CommandTest extends BusTestCase {
    @Test
    void aTask_isACommandUnderTheNameOfItsAgent() throws Exception {
        var agent = present("write_guide");
        var job =
                server.engine.submit("write_guide", JsonObject.of("city", new JsonString("Porto")));

        var command = agent.command();

        assertThat(command.key()).isEqualTo("cmd." + agent.name.replace('.', '_') + ".any");
        assertThat(command.envelope().string("specversion")).hasValue("1.0");
        assertThat(command.envelope().string("type")).hasValue("ai.team.command");
        assertThat(command.envelope().string("source")).hasValue("orchestrator");
        assertThat(command.envelope().string("subject")).hasValue(job.value());
        assertThat(command.data().string("action")).hasValue("write_guide");
        assertThat(command.data().object("params")).hasValue(json("{\"city\":\"Porto\"}"));
        assertThat(command.data().object("requirements"))
                .hasValue(json("{\"capabilities\":[\"write_guide\"]}"));
        assertThat(command.data().number("timeout_seconds").orElseThrow().asLong())
                .isBetween(1L, 3600L);
        var properties = command.properties();
        assertThat(properties.getContentType()).isEqualTo("application/json");
        assertThat(properties.getDeliveryMode()).isEqualTo(2);
        assertThat(properties.getPriority()).isEqualTo(20);
        assertThat(properties.getReplyTo()).isEqualTo(server.config.replyQueue());
    }

    /// The order of the id does not matter to agents, but it must be one: they answer with the id of the event.
    @Test
    void theIdOfTheEvent_isTheCorrelationIdAndTheIdempotencyKey_andFreshForEachAttempt()
            throws Exception {
        var agent = present("echo");
        server.engine.submit("echo");
        var first = agent.command();
        agent.fail(first, json("{\"code\":\"UNAVAILABLE\",\"message\":\"no\",\"retryable\":true}"));
        server.engine.submit("echo");

        var second = agent.command();

        assertThat(first.id())
                .isEqualTo(first.properties().getCorrelationId())
                .isEqualTo(first.properties().getMessageId())
                .isEqualTo(first.data().string("idempotency_key").orElseThrow());
        assertThat(second.id()).isNotEqualTo(first.id());
    }

    @Test
    void theContextOfATask_leavesTheParameters_andNamesTheAgentAndTheStepTwice() throws Exception {
        var agent = present("echo");
        var job =
                server.engine.submit(
                        "echo",
                        json(
                                "{\"a\":1,\"context\":{\"feedback\":\"shorter\",\"target_node\":\"another\"}}"));

        var command = agent.command();

        assertThat(command.data().object("params")).hasValue(json("{\"a\":1}"));
        assertThat(command.context().string("feedback")).hasValue("shorter");
        assertThat(command.context().string("target_node")).hasValue(agent.name);
        assertThat(command.context().string("process_id")).hasValue(job.value());
        assertThat(command.context().get("step")).isEqualTo(command.context().get("step_id"));
    }

    @Test
    void aContextThatIsNoObject_staysAParameter() throws Exception {
        var agent = present("echo");
        server.engine.submit("echo", json("{\"context\":\"harvest\"}"));

        assertThat(agent.command().data().object("params"))
                .hasValue(json("{\"context\":\"harvest\"}"));
    }

    @Test
    void aCommand_expiresNotBeforeItsTimeout() throws Exception {
        var agent = present("echo");
        server.engine.submit("echo");

        var command = agent.command();

        var timeout = command.data().number("timeout_seconds").orElseThrow().asLong();
        assertThat(Long.parseLong(command.properties().getExpiration()))
                .isGreaterThanOrEqualTo(timeout * 1000);
    }

    /// Trap: whatever keeps the events of agents from being read keeps their answers as well, while attempts end.
    @Test
    void anAnswer_doesNotWaitBehindEvents() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();
        var isBusy = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        server.onNewName =
                () -> {
                    isBusy.countDown();
                    awaitEnd(goOn);
                };
        try {
            agent(freshName()).register(600, "echo");
            awaitEnd(isBusy);

            agent.succeed(command, JsonObject.EMPTY);

            awaitReport(job);
        } finally {
            goOn.countDown();
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        awaitTrue(() -> latch.getCount() == 0);
    }

    @Test
    void oneAgentOfSeveralOfAType_getsTheTask() throws Exception {
        var one = agent();
        var other = agent();
        one.listen("cmd.writer.#");
        other.listen("cmd.writer.#");
        one.register(600, "write");
        awaitThere(one);
        server.engine.submit("write");

        var command = one.command();
        one.succeed(command, JsonObject.EMPTY);

        awaitTrue(() -> server.gateway().counts().received() > 0);
        assertThat(other.hasCommand()).isFalse();
    }

    @Test
    void aResult_endsTheTask() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");

        agent.succeed(agent.command(), json("{\"text\":\"done\"}"));

        assertThat(output(awaitReport(job))).isEqualTo(json("{\"text\":\"done\"}"));
    }

    @Test
    void aResultWithNulls_andExtensionAttributes_isTaken() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        agent.answer(
                command,
                agent.envelope(
                                "ai.team.result",
                                json(
                                        "{\"status\":null,\"output\":null,\"execution_time_ms\":1,\"metrics\":null}"))
                        .merge(
                                json(
                                        "{\"subject\":null,\"traceparent\":null,\"datacontenttype\":null,\"Odd_Name\":7}")));

        assertThat(output(awaitReport(job))).isEqualTo(JsonObject.EMPTY);
    }

    @Test
    void aResultIsMatched_byTheIdInTheEnvelope_ifThePropertyIsAnother() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();

        agent.answer(
                command,
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .correlationId("something-else")
                        .build(),
                JsonText.write(
                        agent.envelope("ai.team.result", TestAgent.success(JsonObject.EMPTY))
                                .with("correlationid", new JsonString(command.id()))));

        assertThat(awaitReport(job)).isInstanceOf(TaskReport.Succeeded.class);
    }

    @ParameterizedTest
    @CsvSource({
        "RESOURCE_EXHAUSTED,true,TRANSIENT",
        "RESOURCE_EXHAUSTED,,TRANSIENT",
        "RESOURCE_EXHAUSTED,false,PERMANENT",
        "INTERNAL,false,PERMANENT",
        "INTERNAL,,TRANSIENT",
        "FAILED_PRECONDITION,,PERMANENT",
        "FAILED_PRECONDITION,true,TRANSIENT",
        "INVALID_ARGUMENT,true,INVALID_INPUT",
        "NOT_FOUND,true,PERMANENT",
        "PERMISSION_DENIED,true,PERMANENT",
        "UNIMPLEMENTED,false,PERMANENT",
        "OF_A_LATER_VERSION,,TRANSIENT",
    })
    void anError_isRetried_asItsFlagAndItsCodeHaveIt(
            String code, String retryable, ErrorClass expected) throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var flag = retryable == null ? "" : ",\"retryable\":" + retryable;

        agent.fail(
                agent.command(),
                json("{\"code\":\"" + code + "\",\"message\":\"why\"" + flag + "}"));

        assertThat(awaitReport(job))
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed -> {
                            assertThat(failed.error().kind()).isEqualTo(expected);
                            assertThat(failed.error().message()).isEqualTo(code + ": why");
                        });
    }

    @Test
    void anOutputThatIsNoObject_endsTheAttempt_withAReason() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");

        agent.answer(
                agent.command(),
                agent.envelope("ai.team.result", TestAgent.success(new JsonString("text"))));

        assertThat(awaitReport(job))
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed ->
                                assertThat(failed.error().message())
                                        .contains("the output of a RESULT is no object"));
    }

    @Test
    void aSecondAnswer_changesNothing_andIsAcknowledged() throws Exception {
        var agent = present("echo");
        var job = server.engine.submit("echo");
        var command = agent.command();
        agent.succeed(command, json("{\"n\":1}"));
        awaitReport(job);

        agent.fail(command, json("{\"code\":\"INTERNAL\",\"message\":\"no\",\"retryable\":true}"));
        agent.succeed(command, json("{\"n\":2}"));

        awaitTrue(() -> agent.channel().messageCount(server.config.replyQueue()) == 0);
        var next = server.engine.submit("echo");
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(next);
        assertThat(server.engine.applied(job)).hasSize(1);
        assertThat(output(server.engine.applied(job).getFirst())).isEqualTo(json("{\"n\":1}"));
    }

    @Test
    void anAnswerToNoCommand_isCounted_andAcknowledged() throws Exception {
        var agent = present("echo");
        server.engine.submit("echo");
        var command = agent.command();

        agent.answer(
                command,
                new AMQP.BasicProperties.Builder()
                        .contentType("application/json")
                        .correlationId("of-nobody")
                        .build(),
                JsonText.write(
                        agent.envelope("ai.team.result", TestAgent.success(JsonObject.EMPTY))));

        awaitTrue(() -> server.gateway().counts().late() == 1);
        awaitTrue(() -> agent.channel().messageCount(server.config.replyQueue()) == 0);
    }

    @Test
    void anAnswerOfAnotherAgent_isNotTaken() throws Exception {
        var agent = present("echo");
        var stranger = present("other");
        var job = server.engine.submit("echo");
        var command = agent.command();

        stranger.answer(
                command, stranger.envelope("ai.team.result", TestAgent.success(JsonObject.EMPTY)));

        awaitTrue(() -> server.gateway().counts().late() == 1);
        assertThat(server.engine.applied(job)).isEmpty();
    }

    @Test
    void anUnroutableCommand_isReturnedAtOnce_andTheAgentIsDoubtedUntilItIsHeardOf()
            throws Exception {
        var agent = present("echo");
        agent.unlisten();
        var job = server.engine.submit("echo");

        awaitTrue(() -> server.engine.endings(job).contains(LeaseEnd.Returned.NOT_RECEIVED));
        assertThat(server.gateway().counts().unroutable()).isEqualTo(1);
        assertThat(server.engine.isQueued(job)).isTrue();

        agent.listen("cmd." + agent.name.replace('.', '_') + ".#");
        agent.heartbeat();

        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(job);
        assertThat(server.gateway().counts().unroutable()).isEqualTo(1);
    }

    @Test
    void progress_isReported() throws Exception {
        var agent = present("echo");
        server.engine.submit("echo");
        var command = agent.command();

        agent.event(
                "task.progress",
                JsonObject.builder()
                        .put("task_id", command.id())
                        .put("state", "working")
                        .put("phase", "drafting")
                        .put("elapsed_seconds", 30)
                        .build());

        awaitTrue(() -> !server.progress.isEmpty());
        assertThat(server.progress.getFirst()).startsWith(agent.name).endsWith("drafting 30 s");
    }

    @Test
    void aCancel_isAControl_thatAgentsMayListenTo() throws Exception {
        var agent = agent();
        agent.listen("ctl." + agent.name.replace('.', '_') + ".#");
        agent.register(600, "echo");
        awaitThere(agent);
        var job = server.engine.submit("echo");
        var command = agent.command();

        server.engine.cancel(job);

        var control = agent.command();
        assertThat(control.envelope().string("type")).hasValue("ai.team.control");
        assertThat(control.properties().getPriority()).isEqualTo(255);
        assertThat(control.data().string("control_type")).hasValue("stop");
        assertThat(control.data().object("parameters").orElseThrow().string("task_id"))
                .hasValue(command.id());
    }

    @Test
    void aTaskTypeThatIsLongerThanAnAction_failsAtOnce() throws Exception {
        var type = "a".repeat(101);
        var agent = present(type);

        var job = server.engine.submit(type);

        assertThat(awaitReport(job))
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed ->
                                assertThat(failed.error().message())
                                        .contains("an action has at most 100 characters"));
        assertThat(agent.hasCommand()).isFalse();
    }

    @Test
    void anAgent_getsOneTaskAtATime() throws Exception {
        var agent = present("echo");
        server.engine.submit("echo");
        var second = server.engine.submit("echo");
        var command = agent.command();
        awaitTrue(() -> server.engine.isQueued(second));

        assertThat(agent.hasCommand()).isFalse();

        agent.succeed(command, JsonObject.EMPTY);
        agent.succeed(agent.command(), JsonObject.EMPTY);
        awaitReport(second);
    }

    @Test
    void aCommandThatAnAgentHasNotBegun_isNoAttempt_andGoesToAnother() throws Exception {
        var full = present("echo");
        var job = server.engine.submit("echo");
        var command = full.command();
        var other = agent();
        // Over one channel, so that the one is heard before the other.
        other.heartbeatOf(full, "NOT_READY");
        other.register(600, "echo");
        awaitThere(other);

        full.fail(
                command,
                json(
                        "{\"code\":\"UNAVAILABLE\",\"message\":\"full\",\"retryable\":true,\"details\":{\"not_started\":true}}"));
        other.succeed(other.command(), JsonObject.EMPTY);

        awaitReport(job);
        assertThat(server.engine.applied(job)).hasSize(1);
        assertThat(server.engine.endings(job)).containsExactly(LeaseEnd.Returned.RELEASED);
    }

    @Test
    void whatAnAttemptHasCost_isReadFromTheMetrics_besideTheOutputOrInIt_alsoOfAnError()
            throws Exception {
        var agent = present("echo");
        var success = TestAgent.success(JsonObject.EMPTY);
        var metrics = json("{\"cost_usd\":0.0125,\"tokens_used\":830}");
        var error = json("{\"code\":\"INTERNAL\",\"message\":\"no\",\"retryable\":false}");

        for (var answer :
                List.of(
                        agent.envelope("ai.team.result", success.with("metrics", metrics)),
                        agent.envelope(
                                "ai.team.result",
                                TestAgent.success(JsonObject.of("metrics", metrics))),
                        agent.envelope(
                                "ai.team.error",
                                JsonObject.of("error", error, "metrics", metrics)))) {
            var job = server.engine.submit("echo");
            agent.answer(agent.command(), answer);
            awaitReport(job);
            awaitTrue(() -> !server.engine.costs(job).isEmpty());
            assertThat(server.engine.costs(job))
                    .containsExactly(ReportedCost.ofUsd("0.0125").withTokens(830));
        }
    }
}
