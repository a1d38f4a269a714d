package dev.artel.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.HandlerInvoker;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The shape of data never depends on their size.
final class ShapeOfDataPropertyTest {
    private final InMemoryPayloadStore payloads = new InMemoryPayloadStore();
    private final HandlerInvoker calls = HandlerInvoker.with(payloads, new InMemoryKeyValueStore());

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 200) : LongStream.of(one);
    }

    /// Trap: members move when a result grows past the limit by one byte.
    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aResult_hasTheSameMembersAndTheSameValue_howeverLargeItIs(long seed) {
        var random = new SplittableRandom(seed);
        var value = around(random);

        var kept = kept(value);

        assertThat(calls.resolve(kept)).isEqualTo(value);
        assertThat(namesOf(kept)).isEqualTo(namesOf(Payload.of(value)));
        assertThat(calls.resolve(JobData.ofResult(kept)))
                .isEqualTo(calls.resolve(JobData.ofResult(Payload.of(value))));
        assertThat(inlineBytes(kept)).isLessThan(Payload.INLINE_LIMIT);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void data_haveTheSameMembersAndTheSameValues_howeverLargeTheyAre(long seed) {
        if (around(new SplittableRandom(seed)) instanceof JsonObject value) {
            var kept = calls.keep(JobData.of(value));

            assertThat(calls.resolve(kept)).isEqualTo(value);
            assertThat(List.copyOf(kept.values().keySet())).isEqualTo(List.copyOf(value.names()));
        }
    }

    /// Trap: what grows beside a large member pushes it to another place.
    @Test
    void anObjectOfManySmallMembers_keepsThem() {
        var many = JsonObject.builder();
        for (var i = 0; i < 5_000; i++) {
            many.put("member " + i, "a short text");
        }
        var value = many.put("large", "x".repeat(Payload.INLINE_LIMIT)).build();

        var data = JobData.ofResult(kept(value));

        assertThat(data.values()).hasSize(5_001);
        assertThat(data.values().get("large")).isInstanceOf(Payload.Ref.class);
        assertThat(data.values().get("member 7"))
                .isEqualTo(Payload.of(JsonValue.of("a short text")));
    }

    private Payload kept(JsonValue value) {
        return ((TaskReport.Succeeded)
                        calls.keep(new TaskReport.Succeeded("success", Payload.of(value))))
                .data();
    }

    private static List<String> namesOf(Payload payload) {
        return List.copyOf(JobData.ofResult(payload).values().keySet());
    }

    private long inlineBytes(Payload payload) {
        return switch (payload) {
            case Payload.Inline(var value) -> payloads.bytes(value);
            case Payload.Ref _, Payload.Slice _ -> 0;
            case Payload.Members(var members) ->
                    members.values().stream().mapToLong(this::inlineBytes).sum();
        };
    }

    /// Values around the limit: most have a member that makes the whole a few bytes smaller or larger than it.
    private JsonValue around(SplittableRandom random) {
        var value = Randoms.value(random, 30_000);
        if (!(value instanceof JsonObject object)) {
            return value;
        }
        var rest = Payload.INLINE_LIMIT - payloads.bytes(object) + random.nextInt(-20, 20);
        return rest < 1 ? object : object.with("last", JsonValue.of("x".repeat((int) rest)));
    }
}
