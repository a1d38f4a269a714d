package dev.artel.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.testkit.transport.WireAnswer.Kind;
import org.junit.jupiter.api.Test;

/// What holds on every wire whose workers run in processes of their own, and outlive one of the orchestrator.
public interface RestartContract {
    /// The wire under test, the same one for the whole of a test.
    WorkerWire wire();

    @Test
    default void aRestartOfTheOrchestrator_isAPauseForTheWorker() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        wire().restart();
        assertThat(worker.beat(1).kind()).isEqualTo(Kind.TAKEN);

        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
        assertThat(wire().engine().attempts(job)).isEqualTo(1);
        var next = wire().engine().submit("echo");
        assertThat(worker.take().jobId()).isEqualTo(next.value());
    }

    @Test
    default void aResultThatArrivesBeforeTheWorkerIsKnownAgain_counts() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();

        wire().restart();

        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
        wire().engine().await("its result counts", () -> !wire().engine().applied(job).isEmpty());
        assertThat(wire().engine().applied(job)).hasSize(1);
    }
}
