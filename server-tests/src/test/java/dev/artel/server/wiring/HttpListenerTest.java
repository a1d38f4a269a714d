package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.HttpSettings;
import org.junit.jupiter.api.Test;

final class HttpListenerTest {
    /// Trap: where a process may open 20,000 files, 50,000 connections take all of them, and the store has none.
    @Test
    void connectionsHaveHalfOfTheFilesOfTheProcess() {
        var settings = HttpSettings.DEFAULTS.withMaxConnections(50_000);

        assertThat(HttpListener.most(settings, 20_000, Long.MAX_VALUE)).isEqualTo(10_000);
        assertThat(HttpListener.most(settings, 1_000_000, Long.MAX_VALUE)).isEqualTo(50_000);
        assertThat(HttpListener.most(settings, Integer.MAX_VALUE, Long.MAX_VALUE))
                .isEqualTo(50_000);
    }

    /// Trap: each sends a head and does not end it, and all of them fill a small heap.
    @Test
    void connectionsAreAsManyAsTheHeapHasRoomFor() {
        var settings = HttpSettings.DEFAULTS.withMaxConnections(50_000);

        assertThat(HttpListener.most(settings, 1_000_000, 128L << 20)).isEqualTo(2_048);
        assertThat(HttpListener.most(settings, 1_000_000, 1)).isEqualTo(256);
        assertThat(HttpListener.most(settings.withMaxConnections(100), 1_000_000, 1))
                .isEqualTo(100);
    }
}
