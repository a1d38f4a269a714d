package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is taken for a trace, and what is not.
final class TraceContextTest {
    private static final String IDS = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331";
    private static final String PARENT = "00-" + IDS + "-01";

    private static String state(String given) {
        return TraceContext.read(PARENT, given).orElseThrow().state();
    }

    @Test
    void bothHeaders_areKeptAsTheyAre() {
        var trace = TraceContext.read(" " + PARENT, "rojo=00f067aa0ba902b7 , congo=t61rcWkgMzE");

        assertThat(trace)
                .contains(new TraceContext(PARENT, "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"));
        assertThat(trace.orElseThrow().headers())
                .hasToString(
                        "{\"traceparent\":\""
                                + PARENT
                                + "\",\"tracestate\":\"rojo=00f067aa0ba902b7,congo=t61rcWkgMzE\"}");
        assertThat(TraceContext.read(PARENT, "").orElseThrow().headers())
                .hasToString("{\"traceparent\":\"" + PARENT + "\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "00-" + IDS,
                "00-" + IDS + "-1",
                "00-" + IDS + "-0g",
                "00-" + IDS + "-01-more",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "ff-" + IDS + "-01",
                "cc-" + IDS + "-01.more",
                "Bearer secret"
            })
    void whatIsNoTraceparent_isNone(String given) {
        assertThat(TraceContext.read(given, "rojo=1")).isEmpty();
    }

    @Test
    void aLaterVersion_isHandedOnInTheOneThatIsKnown() {
        assertThat(TraceContext.read("cc-" + IDS + "-ff-what-the-future-will-be-like", ""))
                .contains(new TraceContext("00-" + IDS + "-03", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rojo", "rojo=1,ROJO=2", "rojo=1,rojo=2", "rojo=", "rojo=a=b", "a=\t"})
    void aStateThatIsNone_isLeftOut_andTheParentStays(String given) {
        assertThat(state(given)).isEmpty();
    }

    @Test
    void emptyEntriesOfAState_areLeftOut() {
        assertThat(state(" , rojo=1,,fw529a3039@dt=x y, ")).isEqualTo("rojo=1,fw529a3039@dt=x y");
    }

    @Test
    void ofAStateThatIsTooLong_theLongEntriesGoFirst_thenTheLastOnes() {
        var small =
                IntStream.range(0, 30)
                        .mapToObj(i -> "key%02d=%s".formatted(i, "v".repeat(15)))
                        .collect(Collectors.joining(","));

        assertThat(state("big=" + "b".repeat(200) + "," + small))
                .isEqualTo(small.substring(0, 22 * 23 - 1))
                .hasSizeLessThanOrEqualTo(TraceContext.LONGEST_STATE);
        assertThat(state(small + ",one=1,two=2,three=3")).as("33 entries").isEmpty();
    }

    @Test
    void whatWasNotRead_isRefusedWithWhatWasFound() {
        assertThatThrownBy(() -> new TraceContext("cc-" + IDS + "-01", ""))
                .hasMessage(
                        "traceparent must be 00-<32 hex>-<16 hex>-<2 hex>, was 'cc-"
                                + IDS
                                + "-01'");
        assertThatThrownBy(() -> new TraceContext(PARENT, "rojo"))
                .hasMessage(
                        "tracestate must be a list of key=value of at most 512 characters, was"
                                + " 'rojo'");
    }
}
