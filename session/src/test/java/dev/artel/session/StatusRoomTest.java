package dev.artel.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.Register;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// How much memory takes what workers declare.
final class StatusRoomTest {
    private static final String TOKEN = "gpu-*";
    private static final long ENOUGH = 48L << 20;
    private static final int TYPES = 900;
    private static final int TRIES = 5;

    /// Keeps what is measured.
    private final List<Core> kept = new ArrayList<>();

    static List<Arguments> kinds() {
        return List.of(
                kind("short types", worker -> types(worker, "")),
                kind("long types", worker -> types(worker, "x".repeat(50))),
                kind("wide types", worker -> types(worker, "\u0442".repeat(50))),
                kind("prices", worker -> JsonObject.of("cost_per_skill", prices(worker))),
                kind("nothing else", _ -> JsonObject.EMPTY));
    }

    private static Arguments kind(String name, IntFunction<JsonObject> declared) {
        return Arguments.of(name, declared);
    }

    private static List<String> names(int worker, String more) {
        return IntStream.range(0, TYPES).mapToObj(type -> worker + "-" + type + more).toList();
    }

    private static JsonObject types(int worker, String more) {
        return JsonObject.of("supported_tasks", JsonArray.ofStrings(names(worker, more)));
    }

    private static JsonValue prices(int worker) {
        var members = JsonObject.builder();
        names(worker, "").forEach(name -> members.put(name, JsonNumber.of(0.5)));
        return members.build();
    }

    /// Trap: the estimate was a quarter of the memory.
    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void theEstimate_isNeitherLessThanTheMemory_norManyTimesAsMuch(
            String name, IntFunction<JsonObject> declared) {
        var shares = new ArrayList<Double>();
        for (var i = 0; i < TRIES && shares.stream().noneMatch(StatusRoomTest::isGood); i++) {
            shares.add(share(declared));
        }

        assertThat(shares).as(name + ": estimate / memory").anyMatch(StatusRoomTest::isGood);
    }

    /// Trap: a heartbeat with ten thousand leases was kept whole, for as long as the worker was known, to be compared with the next one.
    @Test
    void whatAHeartbeatStatesAnew_isNotKept_andChangesNothing() {
        var before = status(_ -> JsonObject.EMPTY, 0);
        var first = before.merge(heartbeat(List.of("lease-1", "lease-2")));

        assertThat(Objects.requireNonNull(first.last()).currentTasks()).isNull();
        assertThat(first.merge(heartbeat(List.of("lease-3")))).isSameAs(first);
        assertThat(StatusRoom.weight(first)).isLessThan(2 * StatusRoom.weight(before));
    }

    private static Heartbeat.Full heartbeat(List<String> tasks) {
        return new Heartbeat.Full(
                "w0", null, 1, null, Heartbeat.HotState.UNREPORTED, tasks, "process");
    }

    /// Trap: a worker registers with much, and states less in a heartbeat: its registration is kept and counts nowhere.
    @Test
    void aRegistration_countsAsWell_whenHeartbeatsHaveReplacedItsWords() {
        var hot = JsonObject.of("hot_cache", JsonArray.ofStrings(names(0, "")));
        var large = status(_ -> hot, 0);
        var empty = JsonObject.of("hot_cache", JsonArray.of());
        var heartbeat = (Heartbeat.Full) Heartbeat.read("w0", empty);

        var after = large.merge(heartbeat);

        assertThat(after.record().toString()).hasSizeLessThan(1_000);
        assertThat(StatusRoom.weight(after)).isGreaterThan(StatusRoom.weight(large) / 2);
    }

    private static boolean isGood(double share) {
        return share > 0.9 && share < 4;
    }

    private double share(IntFunction<JsonObject> declared) {
        kept.clear();
        var count = (int) (ENOUGH / StatusRoom.weight(status(declared, 0)));
        var before = used();
        kept.add(new Core());
        var estimate = 0L;
        for (var worker = 0; worker < count; worker++) {
            var status = status(declared, worker);
            estimate += StatusRoom.weight(status);
            var _ = kept.getFirst().send(new WorkerId("w" + worker), registration(status));
        }
        return (double) estimate / (used() - before);
    }

    private static WorkerStatus status(IntFunction<JsonObject> declared, int worker) {
        var name = JsonObject.of("worker_id", new JsonString("w" + worker));
        return WorkerStatus.of(Register.read(name.merge(declared.apply(worker))));
    }

    private static Register registration(WorkerStatus status) {
        return Objects.requireNonNull(status.registration());
    }

    private static long used() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static StatusRoom.Declared declared(String... types) {
        return new StatusRoom.Declared(1_000, List.of(types));
    }

    /// Trap: a fleet of which each worker offers the same hundred types is refused for types that are kept once.
    @Test
    void aType_countsOnce_whateverTheNumberOfItsWorkers() {
        var room = new StatusRoom(20_000);
        for (var worker = 0; worker < 5; worker++) {
            room.put(new WorkerId("w" + worker), TOKEN, declared("a", "b"));
            room.put(new WorkerId("w" + worker), TOKEN, declared("a", "b"));
        }

        assertThat(room.bytes()).isEqualTo(5 * 1_000 + 2 * 600);
        var next = new WorkerId("next");
        assertThat(room.fits(next, TOKEN, declared("a", "c", "d", "e"))).isTrue();
        assertThat(room.fits(next, TOKEN, declared("c", "d", "e", "f", "g", "h", "i"))).isFalse();
        for (var worker = 0; worker < 5; worker++) {
            assertThat(room.bytes()).isPositive();
            room.remove(new WorkerId("w" + worker));
        }
        assertThat(room.bytes()).isZero();
    }

    /// Trap: a worker that offers other types in place of its own is refused while the room is full, though it takes no more.
    @Test
    void otherTypesInPlaceOfItsOwn_fit_whileTheRoomIsFull() {
        var room = new StatusRoom(4_400);
        var worker = new WorkerId("w");
        room.put(worker, TOKEN, declared("a", "b"));

        assertThat(room.fits(worker, TOKEN, declared("c", "d"))).isTrue();
        assertThat(room.fits(worker, TOKEN, declared("a", "c"))).isTrue();
        assertThat(room.fits(worker, TOKEN, declared("a", "b", "c"))).isFalse();
    }

    /// Trap: a token for many names has all of the room, and a worker of another token is refused.
    @Test
    void theWorkersOfAToken_haveHalfOfWhatOthersLeave() {
        var room = new StatusRoom(20_000);
        var taken = 0;
        while (room.fits(new WorkerId("w" + taken), TOKEN, declared("a"))) {
            room.put(new WorkerId("w" + taken), TOKEN, declared("a"));
            taken++;
        }

        assertThat(taken).isEqualTo(9);
        assertThat(room.bytes(TOKEN)).isEqualTo(9_600);
        var other = new WorkerId("other");
        assertThat(room.fits(other, "another", declared("b", "c", "d"))).isTrue();
        room.put(other, "another", declared("a"));
        assertThat(room.bytes("another")).isEqualTo(1_600);
        assertThat(room.bytes()).isEqualTo(10_600);
        room.put(other, TOKEN, declared("a"));
        assertThat(room.bytes("another")).isZero();
        assertThat(room.bytes()).isEqualTo(10_600);
    }
}
