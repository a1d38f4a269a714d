package dev.artel.store.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

final class BoundedBytesTest {
    @Test
    void whatIsWritten_isThere_inOrder_howeverMuchItIs() {
        var expected = new StringBuilder();
        try (var bytes = bytes(10_000_000)) {
            for (var i = 0; expected.length() < 3_000_000; i++) {
                var text = "part " + i + ";".repeat(i % 50);
                expected.append(text);
                bytes.write(text.getBytes(UTF_8), 0, text.length());
                bytes.write('!');
                expected.append('!');
            }

            assertThat(new String(bytes.toByteArray(), UTF_8)).isEqualTo(expected.toString());
        }
    }

    /// Trap: what is larger than the memory is noticed when there is none left.
    @Test
    void moreThanTheBound_isRefusedWhileItComes() {
        try (var bytes = bytes(1_000)) {
            bytes.write(new byte[1_000], 0, 1_000);

            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> bytes.write(1))
                    .withMessageContaining("more than 1000 bytes");
            assertThat(bytes.toByteArray()).hasSize(1_000);
        }
    }

    private static BoundedBytes bytes(int most) {
        return new BoundedBytes(16, most);
    }
}
