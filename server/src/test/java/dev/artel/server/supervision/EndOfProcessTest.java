package dev.artel.server.supervision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.kernel.job.JobId;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EndOfProcessTest {
    private static final JobId POISON = new JobId("poison");

    @TempDir Path folder;

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<Integer> codes = new CopyOnWriteArrayList<>();

    private EndOfProcess process() {
        return new EndOfProcess(folder, new PrintStream(said, true, UTF_8), codes::add);
    }

    @Test
    void anErrorOfAPart_endsTheProcess_withALastLineThatSaysWhy() {
        process().fatal("artel-store-writer", new OutOfMemoryError("heap"), List.of(POISON));

        assertThat(codes).first().isEqualTo(70);
        assertThat(said.toString(UTF_8))
                .isEqualTo(
                        "artel: ends with exit code 70: thread artel-store-writer failed with"
                                + " java.lang.OutOfMemoryError: heap at work on job [poison]; what was"
                                + " acknowledged is durable, start it again"
                                + System.lineSeparator());
    }

    /// Trap: a job that ends the process does so after each start, and nothing else ever runs.
    @Test
    void aJobWithWhichTheProcessEndedTwice_isSetAside() {
        process().fatal("artel-jobs-0", new StackOverflowError(), List.of(POISON));
        assertThat(process().setAside(POISON)).isEmpty();
        assertThat(process().setsAsideAny()).isFalse();

        process().endedBy(List.of(POISON));

        var next = process();
        assertThat(next.setsAsideAny()).isTrue();
        assertThat(next.setAside(new JobId("other"))).isEmpty();
        assertThat(next.setAside(POISON))
                .hasValueSatisfying(why ->
                        assertThat(why)
                                .startsWith("the process ended 2 times while it worked on this job")
                                .contains("its handler: called System.exit")
                                .contains("deaths.txt"));
    }

    /// Trap: a thread of its own that ends with an error is noticed by nobody.
    @Test
    void aThreadOfTheOrchestratorThatEndsWithAnError_endsTheProcess() throws Exception {
        var before = Thread.getDefaultUncaughtExceptionHandler();
        try {
            process().watchThreads();
            Thread.ofPlatform()
                    .name("an-author's")
                    .start(() -> {
                        throw new StackOverflowError("not ours");
                    })
                    .join();
            assertThat(codes).isEmpty();
            Thread.ofVirtual()
                    .name("artel-family")
                    .start(() -> {
                        throw new StackOverflowError("ours");
                    })
                    .join();

            await().untilAsserted(() -> assertThat(codes).first().isEqualTo(70));
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }
}
