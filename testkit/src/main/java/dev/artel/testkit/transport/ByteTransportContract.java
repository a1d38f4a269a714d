package dev.artel.testkit.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.task.TaskReport;
import dev.artel.testkit.transport.WireAnswer.Kind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What holds besides on wires that carry bytes.
public interface ByteTransportContract extends TransportContract {
    @Override
    WorkerWire.OfBytes wire();

    @Test
    default void bytesThatAreNoMessage_areRefused_andChangeNothing() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var garbage = List.of("", "{", "[[[[", "\u0000\u0001\u0002", "{\"a\":1}{\"a\":2}", "null");

        for (var text : garbage) {
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThat(wire().resultOf("w1", bytes).kind()).as(text).isEqualTo(Kind.REFUSED);
        }
        assertThat(wire().resultOf("w1", new byte[] {(byte) 0xff, (byte) 0xfe, 0}).kind())
                .isEqualTo(Kind.REFUSED);

        assertThat(wire().engine().applied(job)).isEmpty();
        assertThat(worker.succeed(task).text("status")).isEqualTo("result_accepted_success");
    }

    @Test
    default void aResultThatIsTooLarge_endsTheAttemptAtOnce_withThatReason() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var tooLarge = new JsonString("x".repeat(wire().largestMessage()));
        var result =
                WorkerBodies.result(
                        "w1", task, JsonObject.of("data", JsonObject.of("x", tooLarge)));

        var answer = worker.peer().result(result);

        assertThat(answer.text("status")).isEqualTo("result_accepted_failure");
        assertThat(wire().engine().applied(job))
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed -> {
                            assertThat(failed.error().code()).isEqualTo("RESULT_TOO_LARGE");
                            assertThat(failed.error().message())
                                    .contains(String.valueOf(wire().largestMessage()));
                        });
    }

    /// Trap: what cannot be read as JSON, but names whose result it is, comes again fifteen times.
    @Test
    default void bytesThatAreNoJson_butNameTheirTask_endTheAttemptAtOnce() {
        var worker = Registered.on(wire(), "w1", 1);
        var job = wire().engine().submit("echo");
        var task = worker.take();
        var text =
                """
                {"job_id":"%s","task_id":"%s","worker_id":"w1","result":{"status":"success","data":{"task_id":"x","n":NaN}}}\
                """
                        .formatted(task.jobId(), task.taskId());

        var answer = wire().resultOf("w1", text.getBytes(StandardCharsets.UTF_8));

        assertThat(answer.text("status")).isEqualTo("result_accepted_failure");
        assertThat(wire().engine().applied(job))
                .singleElement()
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        failed -> assertThat(failed.error().code()).isEqualTo("INVALID_RESULT"));
    }

    @Test
    default void aWorkerThatReadsNothing_delaysNobody_andItsTaskComesBack() {
        Registered.on(wire(), "w1", 1);
        var poll = wire().pollWithoutReading("w1");
        wire().engine().await("the poll asks", () -> wire().engine().asks("w1") == 1);
        var large = JsonObject.of("x", new JsonString("x".repeat(8 << 20)));
        var stuck = wire().engine().submit("echo", large);
        wire().engine().await("the task is given", () -> wire().engine().attempts(stuck) == 1);

        var other = Registered.on(wire(), "w2", 1);
        wire().engine().submit("echo");
        var task = other.take();
        assertThat(other.succeed(task).text("status")).isEqualTo("result_accepted_success");

        poll.hangUp();
        wire().advance(wire().comesBackWithin());
        wire().engine().await("the task is back", () -> wire().engine().isQueued(stuck));
    }
}
