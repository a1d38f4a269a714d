package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StoreException.StoreCorrupt;
import dev.artel.kernel.store.StoreException.StoreFull;
import dev.artel.kernel.store.StoreException.StoreLocked;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StartupExceptionTest {
    /// Trap: a supervisor starts again and again what a person has to recover.
    @Test
    void onlyALockAndAFullDisk_passByThemselves() {
        assertThat(of(new StoreLocked("locked", null)).passes()).isTrue();
        assertThat(of(new StoreFull("full", null)).passes()).isTrue();

        assertThat(of(new StoreUnavailable("another orchestrator has it open", null)).passes())
                .isFalse();
        assertThat(of(new StoreCorrupt("no database", null)).passes()).isFalse();
        assertThat(of(null).passes()).isFalse();
    }

    private static StartupException of(@Nullable StoreException cause) {
        return new StartupException("cannot start", cause);
    }
}
