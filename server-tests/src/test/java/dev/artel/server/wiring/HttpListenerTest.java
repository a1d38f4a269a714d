package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.HttpSettings;
import org.junit.jupiter.api.Test;

final class HttpListenerTest {
    /// Trap: where a process may open 20,000 files, 50,000 connections take all of them, and the store has none.
    @Test
    void connectionsHaveHalfOfTheFilesOfTheProcess() {
        var settings = HttpSettings.DEFAULTS.withMaxConnections(50_000);

        assertThat(HttpListener.most(settings, 20_000)).isEqualTo(10_000);
        assertThat(HttpListener.most(settings, 1_000_000)).isEqualTo(50_000);
        assertThat(HttpListener.most(settings, Integer.MAX_VALUE)).isEqualTo(50_000);
    }
}
