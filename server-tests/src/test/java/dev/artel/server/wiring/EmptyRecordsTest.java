package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class EmptyRecordsTest {
    private final EmptyRecords records = new EmptyRecords();

    @Test
    void aThousandChangesOfKeys_areEnough() {
        assertThat(IntStream.range(0, 1_000).allMatch(_ -> records.hasRoomFor(27, false))).isTrue();
        assertThat(records.hasRoomFor(27, false)).isFalse();
    }

    /// Trap: a record of 16 KB has three thousand changes of keys, and each is made before the next is counted.
    @Test
    void recordsThatAreFullOfThem_countByTheirBytes() {
        assertThat(records.hasRoomFor(16_406, false)).isTrue();
        assertThat(records.hasRoomFor(16_406, false)).isFalse();
    }

    @Test
    void aHandshake_mayHaveLargeCertificates() {
        assertThat(IntStream.range(0, 12).allMatch(_ -> records.hasRoomFor(16_406, true))).isTrue();
        assertThat(records.hasRoomFor(27, false)).isTrue();
    }
}
