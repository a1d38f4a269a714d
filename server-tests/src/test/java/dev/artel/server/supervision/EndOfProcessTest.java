package dev.artel.server.supervision;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Supervision;
import dev.artel.engine.shell.Supervision.RunningHandler;
import dev.artel.kernel.job.JobId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EndOfProcessTest {
    private static final JobId POISON = new JobId("poison");

    @TempDir Path folder;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private final List<Integer> codes = new CopyOnWriteArrayList<>();

    private static final long HEAP = Runtime.getRuntime().maxMemory();
    private static final JobId SMALL = new JobId("small");

    /// Handlers that run, the one that has allocated most first.
    private static Supervision.Handlers handlers(RunningHandler... running) {
        return new Supervision.Handlers() {
            @Override
            public Optional<RunningHandler> greediest() {
                return running().stream().findFirst();
            }

            @Override
            public List<RunningHandler> running() {
                return List.of(running);
            }

            @Override
            public List<JobId> exiting() {
                return List.of();
            }
        };
    }

    private List<String> deaths() throws IOException {
        return Files.readAllLines(folder.resolve("deaths.txt")).stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    /// Trap: the memory that a handler has used up is missed by a thread that runs no job, or another one.
    @Test
    void theHandlerThatHasTakenMostMemory_isNamed_whicheverThreadMissesIt() throws Exception {
        var ending = process();
        ending.watchHandlers(
                handlers(new RunningHandler(POISON, HEAP / 2), new RunningHandler(SMALL, 1 << 20)));

        ending.fatal("artel-jobs-0", new OutOfMemoryError("Java heap space"), List.of(SMALL));

        assertThat(deaths())
                .containsExactly(
                        "poison artel-jobs-0: java.lang.OutOfMemoryError: Java heap space");
        assertThat(printed.toString(UTF_8))
                .contains(
                        "running job [poison]; handlers ran for jobs (memory that they had allocated):"
                                + " poison ("
                                + ((HEAP / 2) >> 20)
                                + " MB), small (1 MB); what was");
    }

    /// Trap: half of the heap is full of what the orchestrator needs, and a handler fills the rest.
    @Test
    void whereNobodyIsAtWorkOnAJob_theGreediestHandlerIsNamed_unlessItHasTakenNextToNothing()
            throws Exception {
        var ending = process();
        ending.watchHandlers(handlers(new RunningHandler(POISON, HEAP / 8)));
        ending.fatal(
                "artel-http-12",
                new ExceptionInInitializerError(new OutOfMemoryError("Java heap space")),
                List.of());
        assertThat(deaths()).singleElement().asString().startsWith("poison artel-http-12");

        var next = process();
        next.watchHandlers(handlers(new RunningHandler(SMALL, 100)));
        next.fatal("artel-http-12", new OutOfMemoryError("Java heap space"), List.of());

        assertThat(deaths().getLast()).startsWith("* artel-http-12");
    }

    @Test
    void anotherError_isNotBlamedOnHandlers() throws Exception {
        var ending = process();
        ending.watchHandlers(handlers(new RunningHandler(SMALL, HEAP / 2)));

        ending.fatal("artel-jobs-0", new StackOverflowError(), List.of(POISON));

        assertThat(deaths()).singleElement().asString().startsWith("poison ");
    }

    /// Trap: there is no memory either for the report that there is none, or too late, so that a job counts twice for one end.
    @Test
    void lastWordsForWhichThereIsNoMemory_areWrittenAgain_andWhatWasWrittenIsNot()
            throws Exception {
        var tries = new AtomicInteger();
        var narrow =
                new PrintStream(printed, true, UTF_8) {
                    @Override
                    public void println(String line) {
                        if (tries.incrementAndGet() < 4) {
                            throw new OutOfMemoryError("planted by the test");
                        }
                        super.println(line);
                    }
                };

        new EndOfProcess(folder, narrow, codes::add)
                .fatal("artel-coordinator", new OutOfMemoryError("heap"), List.of(POISON));

        assertThat(deaths()).hasSize(1);
        assertThat(printed.toString(UTF_8).lines()).hasSize(1);
        assertThat(codes).first().isEqualTo(70);
    }

    private EndOfProcess process() {
        return new EndOfProcess(folder, new PrintStream(printed, true, UTF_8), codes::add);
    }

    @Test
    void anErrorOfAPart_endsTheProcess_withALastLineThatSaysWhy() {
        process().fatal("artel-store-writer", new OutOfMemoryError("heap"), List.of(POISON));

        assertThat(codes).first().isEqualTo(70);
        assertThat(printed.toString(UTF_8))
                .isEqualTo(
                        "artel: ends with exit code 70: thread artel-store-writer failed with"
                                + " java.lang.OutOfMemoryError: heap running job [poison]; what was"
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
