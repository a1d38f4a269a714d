package dev.artel.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class JsonMemoryTest {
    private static final long ENOUGH = 64L << 20;
    private static final int TRIES = 5;

    /// Keeps what is measured.
    private final List<JsonValue> kept = new ArrayList<>();

    static List<Arguments> kinds() {
        return List.of(
                kind("empty lists", _ -> new JsonArray(List.of())),
                kind("lists of a number", i -> JsonArray.of(JsonNumber.of(i))),
                kind("small objects", i -> JsonObject.of("a", JsonNumber.of(i))),
                kind("objects of ten members", i -> objectOf(10, i)),
                kind("objects of thirty members", i -> objectOf(30, i)),
                kind("short texts", i -> new JsonString("text " + i)),
                kind(
                        "wide texts",
                        i -> new JsonString("\u0442\u0435\u043a\u0441\u0442".repeat(20) + i)),
                kind("numbers", i -> JsonNumber.of(1_000_000L + i)),
                kind("decimals", i -> new JsonNumber(BigDecimal.valueOf(10_000_001L + i, 3))),
                kind("numbers of 900 digits", JsonMemoryTest::ofManyDigits));
    }

    private static Arguments kind(String name, IntFunction<JsonValue> value) {
        return Arguments.of(name, value);
    }

    private static JsonValue objectOf(int size, int i) {
        var members = JsonObject.builder();
        for (var member = 0; member < size; member++) {
            members.put("member-" + i + "-" + member, i);
        }
        return members.build();
    }

    private static JsonValue ofManyDigits(int i) {
        var number =
                new JsonNumber(new BigDecimal(BigInteger.TEN.pow(899).add(BigInteger.valueOf(i))));
        assertThat(number.toString()).hasSize(900);
        return number;
    }

    /// Trap: the memory of jobs is bounded by an estimate, and values of some kind take five times as much.
    @ParameterizedTest(name = "{0}")
    @MethodSource("kinds")
    void theEstimate_isNeitherHalfOfTheMemory_norThreeTimesAsMuch(
            String name, IntFunction<JsonValue> value) {
        var shares = new ArrayList<Double>();
        for (var i = 0; i < TRIES && shares.stream().noneMatch(JsonMemoryTest::isGood); i++) {
            shares.add(share(value));
        }

        assertThat(shares).as(name + ": estimate / memory").anyMatch(JsonMemoryTest::isGood);
    }

    private static boolean isGood(double share) {
        return share > 0.5 && share < 3;
    }

    private double share(IntFunction<JsonValue> value) {
        kept.clear();
        var each = JsonMemory.bytes(value.apply(7));
        var count = (int) (ENOUGH / each);
        var before = used();
        var estimate = 0L;
        for (var i = 0; i < count; i++) {
            var one = value.apply(i);
            estimate += JsonMemory.bytes(one);
            kept.add(one);
        }
        return (double) estimate / (used() - before);
    }

    private static long used() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    /// Trap: twenty thousand empty objects are 60 KB of text, and took four megabytes.
    @Test
    void objectsWithoutMembers_shareWhatTheyHave() {
        var one = JsonObject.builder().build();
        var other = JsonObject.builder().build();

        assertThat(one.members()).isSameAs(other.members()).isEmpty();
        assertThat(JsonMemory.bytes(one)).isLessThan(32);
    }
}
