package dev.artel.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.waits.Await;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WriteThreadTest {
    @TempDir private Path folder;

    /// Trap: a virtual thread in SQLite keeps its carrier, and those of the engine stand still with it.
    @Test
    void aWriteThatWaitsForTheLockOfTheFile_keepsNoCarrier() throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var process =
                new ProcessBuilder(
                                java,
                                "--enable-native-access=ALL-UNNAMED",
                                "-Djdk.virtualThreadScheduler.parallelism=1",
                                "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                WritesBesideALock.class.getName(),
                                folder.resolve("artel.db").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (var lines = process.inputReader(UTF_8)) {
            assertThat(lines.lines())
                    .containsExactly(WritesBesideALock.GOES_ON, WritesBesideALock.WRITTEN);
            assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aPlatformThread_writesItself() {
        try (var writes = new WriteThread()) {
            assertThat(writes.run(Thread::currentThread)).isSameAs(Thread.currentThread());
        }
    }

    @Test
    void whatAWriteThrows_isThrownToItsCaller() throws Exception {
        try (var writes = new WriteThread();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var failed =
                    callers.submit(() ->
                            writes.run(() -> {
                                throw new IllegalArgumentException("planted by the test");
                            }));

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(failed::get)
                    .withMessageContaining("planted by the test");
        }
    }

    /// Trap: the caller takes the write for one that did not happen, or loses its interrupt.
    @Test
    void anInterrupt_endsNoWrite_andIsKept() throws Exception {
        try (var writes = new WriteThread();
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            var begun = new CountDownLatch(1);
            var letGo = new CountDownLatch(1);
            var write =
                    callers.submit(() -> {
                        Thread.currentThread().interrupt();
                        var thread =
                                writes.run(() -> {
                                    begun.countDown();
                                    awaitQuietly(letGo);
                                    return Thread.currentThread().getName();
                                });
                        return thread + " " + Thread.currentThread().isInterrupted();
                    });
            begun.await();
            letGo.countDown();

            assertThat(write.get()).isEqualTo(WriteThread.NAME + " true");
        }
    }

    @Test
    void aWriteAfterTheClose_isRefused() throws Exception {
        var writes = new WriteThread();
        writes.close();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(callers.submit(() -> writes.run(() -> 1))::get)
                    .withCauseInstanceOf(IllegalStateException.class);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
