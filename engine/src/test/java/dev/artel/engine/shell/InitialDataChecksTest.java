package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.InitialDataChecks.Finding;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Mismatch;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.JobOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Many clients send initial data at once that take long to look at.
final class InitialDataChecksTest {
    private static final Duration PATIENT = Duration.ofMinutes(1);

    /// What the record waits for, which has no other way to find it.
    private static final CountDownLatch HELD = new CountDownLatch(1);

    static {
        // As the module of an author does.
        InitialDataChecksTest.class
                .getModule()
                .addOpens("dev.artel.engine.shell", Mismatch.class.getModule());
    }

    private final Queue<Finding> found = new ConcurrentLinkedQueue<>();
    private final StepRunner runner =
            StepRunnerTest.runner(
                    Blueprints.of(
                            Blueprint.named("slow")
                                    .initialData(Slow.class)
                                    .start("only", _ -> Action.finish(JsonObject.EMPTY))
                                    .build()),
                    new HandlerPlaces(16, 2, 2, 16),
                    PATIENT,
                    new ConcurrentLinkedQueue<>());

    /// Never read from a text.
    record Slow(String how) {
        Slow {
            if (how.equals("never")) {
                try {
                    HELD.await();
                } catch (InterruptedException late) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    @AfterEach
    void close() {
        HELD.countDown();
        runner.close();
    }

    private static Submission submission(String client, String how) {
        return new Submission(
                "slow",
                client,
                JsonObject.of("how", JsonValue.of(how)),
                Optional.empty(),
                JobOptions.DEFAULTS);
    }

    private void flood(String client, int times) {
        for (var i = 0; i < times; i++) {
            Thread.startVirtualThread(() -> found.add(runner.check(submission(client, "never"))));
        }
    }

    private long refused(String reason) {
        return found.stream()
                .filter(it -> it instanceof Finding.NotNow(var why) && why.contains(reason))
                .count();
    }

    private int queued() {
        return runner.loads().stream().mapToInt(load -> load.waiting() + load.running()).sum();
    }

    /// Trap: each request adds a check to a queue that nobody bounds, also long after the clients have gone.
    @Test
    void checksBeyondABound_areRefusedAtOnce_andAClientHasHalfOfThem() {
        var most = InitialDataChecks.MOST;

        flood("greedy", most);
        await().until(() -> refused("of client 'greedy' wait to be compared") >= most / 2 - 100);
        assertThat(queued()).isLessThanOrEqualTo(most / 2);

        flood("second", most / 2);
        await().until(() -> queued() > most / 2);
        flood("third", 10);
        await().until(() -> refused("submissions wait to be compared with blueprint 'slow'") > 0);
        await().until(() -> found.size() == most + most / 2 + 10);
        assertThat(queued()).isLessThanOrEqualTo(most);

        HELD.countDown();
        await().until(() -> queued() == 0);
        assertThat(runner.check(submission("third", "soon")))
                .isEqualTo(new Finding.Checked(List.of()));
    }
}
