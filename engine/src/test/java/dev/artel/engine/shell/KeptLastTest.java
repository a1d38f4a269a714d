package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KeptLastTest {
    private final KeptLast<List<String>, Integer> last = new KeptLast<>();
    private final List<List<String>> kept = new ArrayList<>();

    private int keep(List<String> value) {
        return last.of(
                value,
                it -> {
                    kept.add(it);
                    return it.size();
                });
    }

    /// Trap: a payload of a megabyte is written out once for each of a thousand jobs.
    @Test
    void theSameValue_isKeptOnce_andAnEqualOneAnew() {
        var one = new ArrayList<>(List.of("a"));
        var equal = new ArrayList<>(List.of("a"));

        assertThat(keep(one)).isOne();
        assertThat(keep(one)).isOne();
        assertThat(kept).hasSize(1);

        assertThat(keep(equal)).isOne();
        assertThat(keep(one)).isOne();
        assertThat(kept).hasSize(3);
    }
}
