package dev.artel.worker;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskOutcome.Failed;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Handlers in real processes.
@Timeout(Await.HUNG)
final class ProcessPoolTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final ScriptedOrchestrator orchestrator =
            ScriptedOrchestrator.granting(Duration.ofSeconds(10));

    @TempDir Path folder;

    record Text(String text) {}

    /// What the processes do.
    static final class Handlers {
        private int count;

        @Handles("pid")
        JsonObject pid(TaskContext task) {
            System.out.println("output that is no message");
            task.hotCache().add("model");
            return JsonObject.of(
                    "pid",
                    JsonNumber.of(ProcessHandle.current().pid()),
                    "count",
                    JsonNumber.of(++count));
        }

        @Handles("exit")
        void exit() {
            System.exit(7);
        }

        @Handles("overflow")
        JsonObject overflow() {
            var all = new ArrayList<byte[]>();
            for (var i = 0; i < 1_000_000; i++) {
                all.add(new byte[1 << 20]);
            }
            return JsonObject.of("filled", JsonNumber.of(all.size()));
        }

        @Handles("crash")
        void crash() throws Exception {
            // The shell has the command built in; there is not always a program of this name.
            new ProcessBuilder("sh", "-c", "kill -SEGV " + ProcessHandle.current().pid())
                    .start()
                    .waitFor();
            Thread.sleep(LONG);
        }

        /// Ignores interrupts.
        @Handles("spin")
        void spin(Text file) throws IOException {
            Files.writeString(Path.of(file.text), Long.toString(ProcessHandle.current().pid()));
            for (var x = 1L; x != 0; x = x * 31 | 1) {
                Thread.onSpinWait();
            }
        }

        @Handles("sleep")
        Result sleep(Text file) throws IOException {
            try {
                Files.writeString(Path.of(file.text), "begun");
                Thread.sleep(LONG);
                return Result.success();
            } catch (InterruptedException cancelled) {
                return Result.of("tidied_up", JsonObject.EMPTY);
            }
        }

        @Handles("native")
        void nativeMemory(Text python) throws Exception {
            new ProcessBuilder(python.text, "-c", "x = bytearray(600 << 20); input()")
                    .start()
                    .waitFor();
        }

        @Handles("wrong")
        void wrong(Text text) {
            if (!text.text.isEmpty()) {
                throw new PermanentFailure("no " + text.text);
            }
        }

        @Handles("reported")
        JsonObject reported(TaskContext task) {
            task.progress(0.5, "half");
            task.log("a line");
            return JsonObject.of("attempt", JsonNumber.of(task.attempt()));
        }
    }

    private static ProcessPool pool() {
        return ProcessPool.of(Handlers.class)
                .processes(1)
                .jvmOptions("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
                .classPath(Path.of("target", "test-classes").toAbsolutePath());
    }

    private Worker worker(ProcessPool pool) {
        var worker =
                Worker.named("w1")
                        .orchestrator(orchestrator.uri(), "secret")
                        .longestBackoff(Duration.ofMillis(100))
                        .drainTimeout(Duration.ofMillis(200))
                        .withoutShutdownHook()
                        .handlersIn(pool)
                        .build();
        worker.start();
        return worker;
    }

    @AfterEach
    void close() {
        orchestrator.close();
    }

    private TaskOutcome outcome(String type, JsonObject params) {
        var before = orchestrator.results.size();
        orchestrator.offer(type, params);
        await(type).until(() -> orchestrator.results.size() > before);
        return orchestrator.results.getLast().outcome();
    }

    private static long member(TaskOutcome outcome, String name) {
        return ((JsonObject) ((TaskOutcome.Succeeded) outcome).data())
                .number(name)
                .orElseThrow()
                .asLong();
    }

    private void assertFails(TaskOutcome outcome, String... parts) {
        assertThat(((Failed) outcome).code()).isEqualTo("TRANSIENT_ERROR");
        assertThat(((Failed) outcome).message()).contains(parts);
        // The worker lives, and another process has taken the place.
        assertThat(outcome("pid", JsonObject.EMPTY)).isInstanceOf(TaskOutcome.Succeeded.class);
    }

    @Test
    void aProcessStaysForTheNextTask_andIsWarmBeforeTheFirst() {
        var pool = pool();
        try (var _ = worker(pool)) {
            await().until(() -> pool.pids().size() == 1);
            var pid = pool.pids().getFirst();

            var one = outcome("pid", JsonObject.EMPTY);
            var two = outcome("pid", JsonObject.EMPTY);

            assertThat(member(one, "pid"))
                    .isEqualTo(pid)
                    .isNotEqualTo(ProcessHandle.current().pid());
            assertThat(member(two, "pid")).isEqualTo(pid);
            assertThat(member(two, "count")).isEqualTo(2);
        }
    }

    @Test
    void aHandlerThatExits_costsItsAttempt_andNoMore() {
        try (var _ = worker(pool())) {
            assertFails(
                    outcome("exit", JsonObject.EMPTY), "ended while it did task", "exit code 7");
        }
    }

    @Test
    void aHandlerThatFillsItsHeap_costsItsAttempt_andNoMore() {
        try (var _ = worker(pool().memoryLimit(400L << 20))) {
            assertFails(outcome("overflow", JsonObject.EMPTY), "OutOfMemoryError");
        }
    }

    @Test
    void aHandlerWhoseProcessCrashes_costsItsAttempt_andNoMore() {
        try (var _ = worker(pool())) {
            assertFails(outcome("crash", JsonObject.EMPTY), "exit code 1", "SIGSEGV");
        }
    }

    @Test
    void aProcessThatTakesMoreMemoryThanItMay_isKilled_withWhatItHasStarted() {
        assumeTrue(Files.exists(Path.of("/proc/self/status")), "there is no /proc");
        var python = JsonObject.of("text", new JsonString(OptionalService.PYTHON.program()));
        try (var _ = worker(pool().memoryLimit(400L << 20))) {
            assertFails(outcome("native", python), "bytes of memory, and may have 419430400");
        }
    }

    @Test
    void theTimeLimit_killsTheProcess_whateverItsHandlerDoes() throws Exception {
        // On a busy machine the handler may not have begun by then.
        var seconds = 2;
        while (!isKilledAfter(seconds)) {
            seconds *= 4;
            assertThat(seconds).isLessThan(300);
        }
    }

    /// Whether the handler had begun.
    private boolean isKilledAfter(int seconds) throws Exception {
        var file = folder.resolve("pid-" + seconds);
        try (var _ = worker(pool().timeLimit(Duration.ofSeconds(seconds)))) {
            assertFails(
                    outcome("spin", JsonObject.of("text", new JsonString(file.toString()))),
                    "took longer than " + Duration.ofSeconds(seconds));
            if (!Files.exists(file) || Files.size(file) == 0) {
                return false;
            }
            var pid = Long.parseLong(Files.readString(file));
            await().until(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
            return true;
        }
    }

    @Test
    void aCancel_interruptsTheHandler_whoseResultCounts() {
        var file = folder.resolve("begun");
        try (var _ = worker(pool())) {
            var task =
                    orchestrator.offer(
                            "sleep", JsonObject.of("text", new JsonString(file.toString())));
            await().until(() -> Files.exists(file));
            orchestrator.cancel(task);
            await().until(() -> !orchestrator.results.isEmpty());

            assertThat(orchestrator.results.getFirst().outcome())
                    .isEqualTo(new TaskOutcome.Succeeded("tidied_up", JsonObject.EMPTY));
        }
    }

    @Test
    void aCancelThatAHandlerIgnores_killsItsProcessAfterTheGrace() throws Exception {
        var file = folder.resolve("pid");
        try (var _ = worker(pool().cancelGrace(Duration.ofMillis(200)))) {
            var task =
                    orchestrator.offer(
                            "spin", JsonObject.of("text", new JsonString(file.toString())));
            await().until(() -> Files.exists(file) && Files.size(file) > 0);
            orchestrator.cancel(task);
            await().until(() -> !orchestrator.results.isEmpty());

            assertThat(orchestrator.results.getFirst().outcome())
                    .isEqualTo(new TaskOutcome.CancelledByWorker());
            assertThat(outcome("pid", JsonObject.EMPTY)).isInstanceOf(TaskOutcome.Succeeded.class);
        }
    }

    @Test
    void failuresKeepTheirCodes_andParametersAreBoundInTheProcess() {
        try (var _ = worker(pool())) {
            assertThat(outcome("wrong", JsonObject.of("text", new JsonString("seat"))))
                    .isEqualTo(new Failed(TaskOutcome.PERMANENT_ERROR, "no seat"));
            var unfit = (Failed) outcome("wrong", JsonObject.EMPTY);
            assertThat(unfit.code()).isEqualTo(TaskOutcome.INVALID_INPUT_ERROR);
            assertThat(unfit.message()).contains("text");
        }
    }

    @Test
    void progressAndLogLines_passThePipe() {
        try (var _ = worker(pool())) {
            assertThat(member(outcome("reported", JsonObject.EMPTY), "attempt")).isEqualTo(1);

            await().until(() ->
                    orchestrator.requests.stream().anyMatch(it -> it.body().contains("a line")));
        }
    }

    @Test
    void whatAProcessHasLoaded_isWarmAsLongAsItLives() {
        try (var worker = worker(pool())) {
            var _ = outcome("pid", JsonObject.EMPTY);
            assertThat(worker.hotCache().names()).containsExactly("model");

            var _ = outcome("exit", JsonObject.EMPTY);
            await().until(() -> worker.hotCache().names().isEmpty());
        }
    }

    @Test
    void aProcessIsReplacedAfterItsTasks() {
        try (var _ = worker(pool().tasksPerProcess(1))) {
            assertThat(member(outcome("pid", JsonObject.EMPTY), "pid"))
                    .isNotEqualTo(member(outcome("pid", JsonObject.EMPTY), "pid"));
        }
    }

    @Test
    void processesEndWithTheirWorker() {
        var pool = pool().processes(2);
        List<Long> pids;
        try (var _ = worker(pool)) {
            await().until(() -> pool.pids().size() == 2);
            pids = pool.pids();
        }
        await().until(() ->
                pids.stream()
                        .noneMatch(pid ->
                                ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()));
    }

    @Test
    void aPoolWhoseProcessesDoNotStart_failsItsTasks_andNamesTheReason() {
        var pool = pool().startLimit(Duration.ofMillis(500)).jvmOptions("-XX:NoSuchOption=1");
        try (var _ = worker(pool)) {
            // On a busy machine none may have ended by then.
            await().untilAsserted(() ->
                    assertThat(((Failed) outcome("pid", JsonObject.EMPTY)).message())
                            .contains("no process was ready for PT0.5S", "NoSuchOption"));
        }
    }

    @Test
    void aProgramInAnotherLanguage_doesTasks() {
        var python = OptionalService.PYTHON.program();
        var program =
                """
                import json, sys
                def send(**message):
                    sys.stdout.write("\\x1e" + json.dumps(message) + "\\n")
                    sys.stdout.flush()
                send(kind="ready")
                for line in sys.stdin:
                    task = json.loads(line.lstrip("\\x1e"))
                    if task["kind"] == "task":
                        send(kind="result", task_id=task["task_id"], data={"upper": task["params"]["text"].upper()})
                """;
        var pool = ProcessPool.ofCommand(List.of(python, "-c", program), "upper").processes(1);
        try (var _ = worker(pool)) {
            assertThat(outcome("upper", JsonObject.of("text", new JsonString("ada"))))
                    .isEqualTo(
                            new TaskOutcome.Succeeded(
                                    "success", JsonObject.of("upper", new JsonString("ADA"))));
        }
    }

    @Test
    void settingsThatMakeNoSense_areRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcessPool.of(Text.class))
                .withMessageContaining("no constructor without parameters");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool().processes(0))
                .withMessageContaining("at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pool().timeLimit(Duration.ZERO))
                .withMessageContaining("longer than nothing");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcessPool.ofCommand(List.of(), "a"))
                .withMessageContaining("needs a command");
    }
}
