package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class VitalsTest {
    /// Trap: the log has the address of an array where it should say what a thread does.
    @Test
    void thePlaceOfAThread_namesItsInnermostFrames() {
        assertThat(Vitals.placeOf(Thread.currentThread()))
                .startsWith("java.base/java.lang.Thread.getStackTrace(")
                .contains(" < ")
                .contains("VitalsTest.thePlaceOfAThread_");
    }
}
