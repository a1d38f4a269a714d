package dev.artel.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ToolArgumentsTest {
    /// Trap: a server takes `..` for the part above, so that one tool does what another is for.
    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void aNameThatLeadsElsewhere_isRefused(String name) {
        assertThatThrownBy(() -> ToolArguments.path("/api/v1/jobs/", name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "' names nothing");
    }

    @Test
    void anyOtherName_isWrittenForPaths() {
        assertThat(ToolArguments.path("/api/v1/jobs/", "../a b..."))
                .isEqualTo("/api/v1/jobs/..%2Fa%20b...");
    }
}
