package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShortMemoryTest {
    private long used;
    private int freed;
    private final ShortMemory memory = new ShortMemory(() -> used, () -> 1_000, () -> freed++);

    private int freedAt(long found) {
        used = found;
        memory.look();
        return freed;
    }

    /// Trap: what is in memory for speed alone stays there until requests are refused, since its own bound is not reached.
    @Test
    void aCollectionThatFindsMostInUse_freesWhatIsThereForSpeed_once() {
        assertThat(freedAt(740)).isZero();
        assertThat(freedAt(780)).isEqualTo(1);
        assertThat(freedAt(780)).isEqualTo(1);
        assertThat(freedAt(790)).isEqualTo(2);
        assertThat(freedAt(400)).isEqualTo(2);
    }
}
