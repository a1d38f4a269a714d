package dev.artel.kernel.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import org.junit.jupiter.api.Test;

final class RefusalCountsTest {
    @Test
    void counts_areAMapInTheOrderOfRefusals_howeverTheyCame() {
        var given = new LinkedHashMap<Refusal, Integer>();
        given.put(Refusal.BUSY, 2);
        given.put(Refusal.TYPE, 7);

        var counts = RefusalCounts.of(given);
        given.put(Refusal.MODEL, 1);

        assertThat(counts).containsExactly(counts.firstEntry(), counts.lastEntry()).hasSize(2);
        assertThat(counts.firstEntry().getKey()).isEqualTo(Refusal.TYPE);
        assertThat(counts.reversed().keySet()).containsExactly(Refusal.BUSY, Refusal.TYPE);
        given.remove(Refusal.MODEL);
        assertThat(counts)
                .isEqualTo(given)
                .hasSameHashCodeAs(given)
                .hasToString("{TYPE=7, BUSY=2}");
    }

    @Test
    void counts_doNotChange() {
        var counts = RefusalCounts.of(new LinkedHashMap<>());

        assertThat(counts).isEmpty();
        assertThatThrownBy(() -> counts.put(Refusal.BUSY, 1))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void whatIsCounted_addsUp_andNothingIsNoEntry() {
        var builder = new RefusalCounts.Builder();
        builder.add(Refusal.BUSY, 2);
        builder.add(Refusal.BUSY, 3);
        builder.add(Refusal.MODEL, 0);

        var counts = builder.build();

        assertThat(counts).containsOnlyKeys(Refusal.BUSY).containsEntry(Refusal.BUSY, 5);
        assertThat(counts.count(Refusal.MODEL)).isZero();
        assertThat(counts.get(Refusal.MODEL)).isNull();
        assertThat(builder.build()).isEmpty();
    }
}
