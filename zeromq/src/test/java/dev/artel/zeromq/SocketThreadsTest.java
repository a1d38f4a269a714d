package dev.artel.zeromq;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.zeromq.SocketType;
import org.zeromq.ZMQ;

final class SocketThreadsTest {
    private static final Pattern POLICY = Pattern.compile("(?m)^policy\\s*:\\s*(\\d+)$");
    private static final String BATCH = "3";

    /// The policy of this thread, as Linux shows it.
    private static String policy() throws Exception {
        var thread = Files.readSymbolicLink(Path.of("/proc/thread-self")).getFileName();
        var text = Files.readString(Path.of("/proc/self/task/" + thread + "/sched"));
        var found = POLICY.matcher(text);
        assertThat(found.find()).as(text).isTrue();
        return found.group(1);
    }

    private static void assumeItShows() {
        assumeTrue(SocketThreads.isPossible(), "native access is needed, on Linux");
        assumeTrue(
                Files.isReadable(Path.of("/proc/thread-self/sched")),
                "the kernel does not show the policies of threads");
    }

    @Test
    void aThreadOfSockets_preemptsNone() throws Exception {
        assumeItShows();
        var own = new CompletableFuture<String>();
        Thread.ofPlatform()
                .start(() ->
                        SocketThreads.run(() -> {
                            try {
                                own.complete(policy());
                            } catch (Exception e) {
                                own.completeExceptionally(e);
                            }
                        }));

        assertThat(own.get(Await.seconds(), TimeUnit.SECONDS)).isEqualTo(BATCH);
    }

    @Test
    void theThreadOfConnections_preemptsNone() throws Exception {
        assumeItShows();
        try (var context = SocketThreads.context();
                var socket = context.createSocket(SocketType.PULL)) {
            assertThat(socket.bind("tcp://127.0.0.1:*")).isTrue();

            await().untilAsserted(() ->
                    assertThat(policiesOf("iothread")).isNotEmpty().containsOnly(BATCH));
        }
    }

    private static List<String> policiesOf(String name) throws IOException {
        try (var tasks = Files.list(Path.of("/proc/self/task"))) {
            return tasks.filter(task -> read(task.resolve("comm")).startsWith(name))
                    .map(task -> POLICY.matcher(read(task.resolve("sched"))))
                    .map(found -> found.find() ? found.group(1) : "none")
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException gone) {
            return "";
        }
    }

    @Test
    void whatIsPut_wakesTheThread_alsoWhileItDoesNotPoll() throws Exception {
        try (var context = SocketThreads.context();
                var wakeUp = WakeUp.open()) {
            var poller = context.createPoller(1);
            var _ = poller.register(wakeUp.channel(), ZMQ.Poller.POLLIN);

            wakeUp.wake();
            wakeUp.wake();
            var woken = poller.poll(10_000);
            wakeUp.hasPolled();
            var asleep = poller.poll(1);
            wakeUp.wakeAnyway();

            assertThat(woken).isEqualTo(1);
            assertThat(asleep).isZero();
            assertThat(poller.poll(10_000)).isEqualTo(1);
        }
    }
}
