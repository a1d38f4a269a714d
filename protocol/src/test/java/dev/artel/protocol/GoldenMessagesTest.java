package dev.artel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.Readiness.Status;
import dev.artel.protocol.TaskAssignment.Terms;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every message that we write, byte for byte, and back.
final class GoldenMessagesTest {
    /// A message with its file and its way back.
    record Golden(String file, Object message, JsonValue json, Function<JsonValue, Object> reader) {
        @Override
        public String toString() {
            return file;
        }
    }

    private static <K, V> SequencedMap<K, V> map(K key, V value) {
        var map = new LinkedHashMap<K, V>();
        map.put(key, value);
        return map;
    }

    private static final Profile PROFILE =
            new Profile(
                    List.of(new Skill("resize", "gpu", null), new Skill("echo")),
                    new Limits(4, map("gpu", 1)),
                    new Resources(
                            8.0,
                            31.5,
                            List.of(
                                    new Resources.Gpu("RTX 4090", 24),
                                    new Resources.Gpu("T4", 16))),
                    List.of(new InstalledModel("sdxl", "1.0"), new InstalledModel("tiny", null)),
                    new Costs(0.5, 0.01, map("resize", 2.0)),
                    map("resize", List.of("sdxl")));

    private static final Register REGISTER =
            new Register(
                    "w1",
                    "resizer",
                    new Register.Origin("5f0c", "host-1", "10.0.0.5"),
                    PROFILE,
                    new Readiness(Status.IDLE, 0, List.of("sdxl", "resize"), List.of("resize")),
                    new Register.Wishes(
                            Duration.ofSeconds(30),
                            true,
                            JsonObject.of("mode", new JsonString("all"))));

    private static final Heartbeat.Full HEARTBEAT =
            new Heartbeat.Full(
                    "w1",
                    Status.BUSY,
                    2,
                    List.of("echo"),
                    new Heartbeat.HotState(
                            List.of("sdxl"), List.of("resize"), map("resize", List.of("sdxl"))),
                    List.of("l-1", "l-2"));

    private static final TaskAssignment TASK =
            new TaskAssignment(
                    "j1",
                    "t1",
                    "resize",
                    JsonObject.of("width", JsonNumber.of(640)),
                    JsonObject.of("traceparent", new JsonString("00-1-2-01")),
                    new Terms(
                            "l-1",
                            2,
                            1.5,
                            Instant.ofEpochMilli(1_767_225_600_000L),
                            Duration.ofSeconds(30)));

    private static final TaskAssignment BARE_TASK =
            new TaskAssignment("j2", "t2", "echo", JsonObject.EMPTY, JsonObject.EMPTY, Terms.NONE);

    private static final String DIGEST = "0123456789abcdef".repeat(4);

    private static final TaskAssignment LARGE_TASK =
            new TaskAssignment(
                    "j3",
                    "t3",
                    "echo",
                    JsonObject.EMPTY,
                    JsonObject.EMPTY,
                    Terms.NONE,
                    new TaskAssignment.Large(
                            new ValueRef(DIGEST, 70_000, "/_worker/values/" + DIGEST),
                            "/_worker/values?until=1",
                            67_108_864),
                    List.of());

    private static final TaskAssignment ANSWERED_TASK =
            new TaskAssignment(
                    "j4",
                    "t4",
                    "echo",
                    JsonObject.EMPTY,
                    JsonObject.EMPTY,
                    Terms.NONE,
                    null,
                    List.of(new TaskAssignment.Answer("q1", "Which account?", "savings")));

    private static final AskQuestion QUESTION =
            new AskQuestion(
                    "w1",
                    "t1",
                    "l-1",
                    "account",
                    "Which account?",
                    List.of("savings", "current"),
                    Duration.ofHours(1));

    private static TaskResult result(TaskOutcome outcome) {
        return new TaskResult("j1", "t1", "w1", "l-1", outcome);
    }

    private static Stream<Golden> messages() {
        var success = result(TaskOutcome.success(JsonObject.of("url", new JsonString("s3://b/k"))));
        var failure = result(new TaskOutcome.Failed("PERMANENT_ERROR", "no such file"));
        var stored = result(new TaskOutcome.Stored("success", new ValueRef(DIGEST, 70_000, null)));
        var cancelled = result(new TaskOutcome.CancelledByWorker());
        var progress = new Progress("j1", "t1", "l-1", 0.25, "halfway to half");
        var renew = new Renew("w1", List.of("l-1", "t2"), List.of(progress));
        var line = new TaskLog.Line(Instant.ofEpochMilli(1767225600000L), "warn", "slow");
        var log = new TaskLog("w1", "t1", "l-1", List.of(line));
        var kept = new OrchestratorMessage.LogAnswer(true, 1);
        var answered = new QuestionAnswer.Answered("savings");
        var parked = new QuestionAnswer.Parked(17);
        var ignored = new QuestionAnswer.Ignored("stale");
        var release = new Release("w1", List.of("l-1"), "no free slot");
        var cancel = new CancelTask("t1", "j1", "l-1");
        var registered = new RegisterAnswer("registered", Duration.ofSeconds(30), "clock is off");
        var alive = new HeartbeatAnswer("ok", List.of("t1"), true, Duration.ofMillis(500));
        var renewed =
                new RenewAnswer(
                        List.of("l-1"),
                        List.of(new RenewAnswer.Lost("l-2", "expired")),
                        List.of("l-1"));
        var withReasons =
                new RenewAnswer(
                        List.of(),
                        List.of(
                                new RenewAnswer.Lost("l-1", "not_held"),
                                new RenewAnswer.Lost("l-2", "not_held")),
                        List.of(),
                        map("not_held", "the lease has ended"));
        var released = new OrchestratorMessage.ReleaseAnswer(List.of("l-1"));
        var refusal = new OrchestratorMessage.Refusal("job_id: expected a string, found nothing");
        return Stream.of(
                new Golden("register", REGISTER, REGISTER.toJson(), Register::read),
                new Golden(
                        "heartbeat-full",
                        HEARTBEAT,
                        HEARTBEAT.toJson(),
                        json -> Heartbeat.read("w1", json)),
                new Golden("result-success", success, success.toJson(), TaskResult::read),
                new Golden("result-failure", failure, failure.toJson(), TaskResult::read),
                new Golden("result-stored", stored, stored.toJson(), TaskResult::read),
                new Golden("result-cancelled", cancelled, cancelled.toJson(), TaskResult::read),
                new Golden(
                        "result-batch",
                        new ResultBatch(
                                "w1",
                                List.of(
                                        new ResultBatch.Entry.Understood(success),
                                        new ResultBatch.Entry.Understood(cancelled))),
                        ResultBatch.toJson("w1", List.of(success, cancelled)),
                        ResultBatch::read),
                new Golden("renew", renew, renew.toJson(), json -> Renew.read("w1", json)),
                new Golden(
                        "question",
                        QUESTION,
                        QUESTION.toJson(),
                        json -> AskQuestion.read("w1", "t1", json)),
                new Golden("question-answered", answered, answered.toJson(), QuestionAnswer::read),
                new Golden("question-parked", parked, parked.toJson(), QuestionAnswer::read),
                new Golden("question-ignored", ignored, ignored.toJson(), QuestionAnswer::read),
                new Golden(
                        "task-answers",
                        List.of(ANSWERED_TASK),
                        ANSWERED_TASK.toJson(),
                        TaskAssignment::readAll),
                new Golden("release", release, release.toJson(), Release::read),
                new Golden("log", log, log.toJson(), json -> TaskLog.read("w1", "t1", json)),
                new Golden("log-answer", kept, kept.toJson(), OrchestratorMessage.LogAnswer::read),
                new Golden(
                        "progress-frame",
                        Optional.of(progress),
                        progress.toFrame(),
                        Progress::readFrame),
                new Golden("task", List.of(TASK), TASK.toJson(), TaskAssignment::readAll),
                new Golden(
                        "task-bare",
                        List.of(BARE_TASK),
                        BARE_TASK.toJson(),
                        TaskAssignment::readAll),
                new Golden(
                        "task-large",
                        List.of(LARGE_TASK),
                        LARGE_TASK.toJson(),
                        TaskAssignment::readAll),
                new Golden(
                        "tasks",
                        List.of(TASK, BARE_TASK),
                        TaskAssignment.toJson(List.of(TASK, BARE_TASK)),
                        TaskAssignment::readAll),
                new Golden(
                        "cancel-frame",
                        Optional.of(cancel),
                        cancel.toJson(),
                        CancelTask::readFrame),
                new Golden(
                        "register-answer", registered, registered.toJson(), RegisterAnswer::read),
                new Golden("heartbeat-answer", alive, alive.toJson(), HeartbeatAnswer::read),
                new Golden(
                        "heartbeat-answer-refreshed",
                        HeartbeatAnswer.REFRESHED,
                        HeartbeatAnswer.REFRESHED.toJson(),
                        HeartbeatAnswer::read),
                new Golden(
                        "result-answer",
                        ResultAnswer.ignored("stale"),
                        ResultAnswer.ignored("stale").toJson(),
                        ResultAnswer::read),
                new Golden(
                        "result-answers",
                        answers(),
                        ResultAnswer.toJson(answers()),
                        ResultAnswer::readAll),
                new Golden("renew-answer", renewed, renewed.toJson(), RenewAnswer::read),
                new Golden(
                        "renew-answer-reasons",
                        withReasons,
                        withReasons.toJson(),
                        RenewAnswer::read),
                new Golden(
                        "release-answer",
                        released,
                        released.toJson(),
                        OrchestratorMessage.ReleaseAnswer::read),
                new Golden(
                        "drain-answer",
                        new OrchestratorMessage.DrainAnswer(),
                        new OrchestratorMessage.DrainAnswer().toJson(),
                        _ -> new OrchestratorMessage.DrainAnswer()),
                new Golden(
                        "refusal", refusal, refusal.toJson(), OrchestratorMessage.Refusal::read));
    }

    private static List<ResultAnswer> answers() {
        return List.of(
                ResultAnswer.accepted(TaskOutcome.success(JsonObject.EMPTY)),
                ResultAnswer.accepted(new TaskOutcome.Failed("TRANSIENT_ERROR", "x")),
                ResultAnswer.accepted(new TaskOutcome.CancelledByWorker()),
                ResultAnswer.refused(new MalformedMessage("results[3]", "an object", "null")));
    }

    private static byte[] file(String name) throws IOException {
        try (var in = GoldenMessagesTest.class.getResourceAsStream("/golden/" + name + ".json")) {
            assertThat(in).as("golden file of %s", name).isNotNull();
            return in.readAllBytes();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("messages")
    void aMessageIsWrittenAsEver(Golden golden) throws IOException {
        assertThat(new String(JsonText.write(golden.json), UTF_8))
                .isEqualTo(new String(file(golden.file), UTF_8));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("messages")
    void aMessageIsReadAsItWasMeant(Golden golden) throws IOException {
        assertThat(golden.reader.apply(JsonText.read(file(golden.file)))).isEqualTo(golden.message);
    }

    @Test
    void everyMessageWithABodyHasAFile() {
        var covered = messages().map(Golden::message).map(GoldenMessagesTest::type);
        var bodyless =
                Stream.of(
                        WorkerMessage.Poll.class,
                        WorkerMessage.Drain.class,
                        WorkerMessage.Disconnect.class,
                        Heartbeat.Empty.class);

        assertThat(Stream.concat(covered, bodyless).collect(Collectors.toSet()))
                .containsAll(leaves(WorkerMessage.class))
                .containsAll(leaves(OrchestratorMessage.class));
    }

    private static Class<?> type(Object message) {
        return switch (message) {
            case Optional<?> some -> some.orElseThrow().getClass();
            case List<?> list -> list.getFirst().getClass();
            default -> message.getClass();
        };
    }

    private static Set<Class<?>> leaves(Class<?> family) {
        var subclasses = family.getPermittedSubclasses();
        return subclasses == null
                ? Set.of(family)
                : Stream.of(subclasses)
                        .flatMap(type -> leaves(type).stream())
                        .collect(Collectors.toSet());
    }
}
