package dev.artel.gateway.mindbus;

import static dev.artel.waits.Await.await;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.waits.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/// A gateway on the broker of all tests, with an exchange of its own.
@Timeout(Await.HUNG)
abstract class BusTestCase {
    static final Duration LONGEST = Await.longest();

    final List<AutoCloseable> opened = new ArrayList<>();
    RabbitServer broker;
    BusServer server;

    @BeforeEach
    void open() throws Exception {
        broker = RabbitServer.shared();
        server = BusServer.on(broker);
    }

    @AfterEach
    void close() throws Exception {
        for (var one : opened.reversed()) {
            one.close();
        }
        if (server != null) {
            server.close();
        }
    }

    static String freshName() {
        return "agent.test." + UUID.randomUUID().toString().substring(0, 8);
    }

    TestAgent agent() throws IOException, TimeoutException {
        return agent(freshName());
    }

    TestAgent agent(String name) throws IOException, TimeoutException {
        var agent = new TestAgent(broker, server.config, name);
        opened.add(agent);
        return agent;
    }

    /// One that does `capability`, and is there.
    TestAgent present(String capability) throws IOException, TimeoutException {
        return present(600, capability);
    }

    /// One that does `capability`, and is there for `lease` seconds without a heartbeat.
    TestAgent present(long lease, String capability) throws IOException, TimeoutException {
        var agent = agent();
        agent.register(lease, capability);
        awaitThere(agent);
        return agent;
    }

    void awaitThere(TestAgent agent) {
        awaitTrue(() -> server.gateway().uidOf(agent.name).isPresent());
    }

    static void awaitTrue(Callable<Boolean> condition) {
        await().until(condition);
    }

    TaskReport awaitReport(JobId job) {
        awaitTrue(() -> !server.engine.applied(job).isEmpty());
        return server.engine.applied(job).getFirst();
    }

    static JsonObject json(String text) {
        return (JsonObject) JsonText.read(text);
    }

    /// What a successful report has.
    static JsonObject output(TaskReport report) {
        if (report instanceof TaskReport.Succeeded(_, Payload.Inline(JsonObject output))) {
            return output;
        }
        throw new AssertionError("no success: " + report);
    }
}
