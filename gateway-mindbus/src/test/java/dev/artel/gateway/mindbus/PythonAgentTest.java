package dev.artel.gateway.mindbus;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskReport;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An agent in Python that knows the bus alone, with Debian's `python3-pika`.
final class PythonAgentTest extends BusTestCase {
    private static final Path AGENT = Path.of("..", "examples", "agents", "python_agent.py");

    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    @Override
    void open() throws Exception {
        OptionalService.assumeAll(OptionalService.RABBITMQ, OptionalService.PYTHON_PIKA);
        super.open();
    }

    @AfterEach
    void killAgents() {
        processes.forEach(Process::destroyForcibly);
        processes.forEach(
                process -> process.onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join());
    }

    private Process start(String name, String heartbeat) throws IOException {
        var builder =
                new ProcessBuilder(OptionalService.PYTHON_PIKA.program(), AGENT.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("RABBITMQ_URL", broker.uri().toString());
        builder.environment().put("MINDBUS_EXCHANGE", server.config.exchange());
        builder.environment().put("AGENT_NAME", name);
        builder.environment().put("AGENT_HEARTBEAT", heartbeat);
        builder.environment().put("AGENT_LEASE", "120");
        var process = builder.start();
        processes.add(process);
        return process;
    }

    private String awaitUid(String name) {
        return await().until(() -> server.gateway().uidOf(name), Optional::isPresent).orElseThrow();
    }

    @Test
    void anUnmodifiedAgent_doesTasks_andItsErrorsAreErrors() throws Exception {
        var name = freshName();
        start(name, "1");
        awaitUid(name);

        var echo =
                server.engine.submit("test.echo", JsonObject.of("message", new JsonString("hi")));
        var fail = server.engine.submit("test.fail", JsonObject.of("how", new JsonString("key")));

        assertThat(output(awaitReport(echo)).string("echo")).hasValue("hi");
        assertThat(awaitReport(fail))
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed -> assertThat(failed.error().message()).startsWith("NOT_FOUND: "));
    }

    @Test
    void anAgentThatIsKilled_isReplacedByItsNextProcess_andTheTaskIsDone() throws Exception {
        var name = freshName();
        var first = start(name, "1");
        awaitUid(name);

        var job = killAtATask(name, first);
        while (server.engine.endings(job).isEmpty()) {
            // It was done before the agent was killed.
            job = killAtATask(name, processes.getLast());
        }

        assertThat(server.engine.endings(job))
                .containsAnyOf(LeaseEnd.Lost.WORKER_RESTARTED, LeaseEnd.Lost.WORKER_GONE);
    }

    /// A task that is done, whose agent is killed and started again when it has it.
    private JobId killAtATask(String name, Process agent) throws IOException {
        var uid = awaitUid(name);
        var job = server.engine.submit("test.sleep", json("{\"seconds\":2}"));
        awaitTrue(() -> server.engine.attempts(job) > 0);

        agent.destroyForcibly().onExit().orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
        start(name, "1");

        awaitTrue(
                () -> server.gateway().uidOf(name).filter(other -> !other.equals(uid)).isPresent());
        assertThat(awaitReport(job)).isInstanceOf(TaskReport.Succeeded.class);
        return job;
    }

    @Test
    void anAgentThatIsStopped_leaves() throws Exception {
        var name = freshName();
        var process = start(name, "5");
        awaitUid(name);

        process.destroy();

        awaitTrue(() -> !server.isThere(name));
    }

    @Test
    void aSecondProcessUnderTheSameName_endsItself_andTheFirstOneStays() throws Exception {
        var name = freshName();
        start(name, "1");
        var uid = awaitUid(name);

        var second = start(name, "1");

        assertThat(second.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(server.gateway().uidOf(name)).hasValue(uid);
    }

    @Test
    void anAgent_livesThroughARestartOfTheOrchestrator_withItsTask() throws Exception {
        var name = freshName();
        start(name, "1");
        awaitUid(name);
        var job = server.engine.submit("test.sleep", json("{\"seconds\":3}"));
        awaitTrue(() -> server.engine.holder(job).isPresent());

        server.restart();

        assertThat(awaitReport(job)).isInstanceOf(TaskReport.Succeeded.class);
        assertThat(server.engine.attempts(job)).isEqualTo(1);
        awaitUid(name);
    }
}
