package dev.artel.json.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonString;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class ForeignJsonTest {
    private static byte[] list(String each, int bytes) {
        var text = new StringBuilder("[");
        while (text.length() < bytes) {
            text.append(each).append(',');
        }
        return text.append(each).append(']').toString().getBytes(UTF_8);
    }

    @Test
    void textsOfAllSizes_areReadAsAlways_byThreadsOfBothKinds() throws Exception {
        for (var size : new int[] {10, ForeignJson.SMALL, 10 * ForeignJson.SMALL}) {
            var text = list("{\"a\":[1,\"x\"]}", size);
            var expected = JsonText.read(text);

            assertThat(ForeignJson.read(text)).isEqualTo(expected);
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                assertThat(threads.submit(() -> ForeignJson.read(text)).get()).isEqualTo(expected);
            }
        }
    }

    @Test
    void whatIsNoJson_isRefusedWithItsPlace_byThreadsOfBothKinds() throws Exception {
        var text = (new String(list("1", 2 * ForeignJson.SMALL), UTF_8) + "]").getBytes(UTF_8);

        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> ForeignJson.read(text))
                .matches(malformed -> malformed.column() > ForeignJson.SMALL)
                .matches(malformed -> !malformed.isTooHeavy());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> threads.submit(() -> ForeignJson.read(text)).get())
                    .withCauseInstanceOf(MalformedJson.class);
        }
    }

    /// Trap: the limit of bytes is kept, and a list of millions of empty lists takes thirty times as much memory.
    @Test
    void aTextWhoseValueWouldTakeTooMuchMemory_isRefusedBeforeItIsRead() {
        var most = Runtime.getRuntime().maxMemory() / ForeignJson.LARGEST_PART;
        var text = list("[]", (int) Math.min(most / 40, 500 << 20));

        assertThatExceptionOfType(MalformedJson.class)
                .isThrownBy(() -> ForeignJson.read(text))
                .matches(MalformedJson::isTooHeavy)
                .withMessageContaining("MiB of memory");
        assertThat(ForeignJson.weight(new byte[text.length])).isLessThan(most);
    }

    @Test
    void manyLargeTextsAtOnce_areAllRead() throws Exception {
        var text = list("{\"a\":1}", 200_000);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readings = new ArrayList<Future<Integer>>();
            for (var i = 0; i < 50; i++) {
                readings.add(
                        threads.submit(() -> ((JsonArray) ForeignJson.read(text)).values().size()));
            }
            var size = ((JsonArray) JsonText.read(text)).values().size();
            for (var reading : readings) {
                assertThat(reading.get()).isEqualTo(size);
            }
        }
    }

    @Test
    void aLargeString_isNotHeavy() {
        var text = ("\"" + "x".repeat(1 << 20) + "\"").getBytes(UTF_8);

        assertThat(ForeignJson.weight(text)).isLessThan(4L << 20);
        assertThat(((JsonString) ForeignJson.read(text)).value()).hasSize(1 << 20);
    }

    /// Trap: two thousand messages of 32 KiB are worked on at once, whose values take a megabyte each.
    @Test
    void aText_isNegligibleUpToFourKibibytes() {
        var text = ("[" + "1,".repeat(2_046) + "10]").getBytes(UTF_8);
        assertThat(text).hasSize(ForeignJson.NEGLIGIBLE);
        assertThat(ForeignJson.weightIfLarge(text)).isZero();

        var more = ("[" + "1,".repeat(2_046) + "100]").getBytes(UTF_8);

        assertThat(ForeignJson.weightIfLarge(more)).isEqualTo(3L * 4_097 + 80L * 2_047);
    }
}
