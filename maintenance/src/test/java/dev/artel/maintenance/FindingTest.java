package dev.artel.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FindingTest {
    /// Trap: a blueprint starts a child by a name that comes with a job, and the doctor shows it.
    @Test
    void aNameThatCommandsTheTerminal_orLooksLikeAnotherFinding_isShownAsText() {
        var finding =
                Finding.warn("blueprints", "not there: x\u001b[2Jy\nOK    store        all well");

        assertThat(finding)
                .hasToString(
                        "WARN  blueprints   not there: x\ufffd[2Jy\n                   OK    store        all well");
    }
}
