package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class VitalsTest {
    /// Trap: the log has the address of an array where it should show what a thread does.
    @Test
    void thePlaceOfAThread_namesItsInnermostFrames() {
        assertThat(Vitals.placeOf(Thread.currentThread()))
                .startsWith("java.base/java.lang.Thread.getStackTrace(")
                .contains(" < ")
                .contains("VitalsTest.thePlaceOfAThread_");
    }

    /// Trap: the process was stopped for an hour, and each part that is at something is reported as stuck.
    @Test
    void aStandstillOfTheWholeProcess_makesNoPartStuck() {
        try (var vitals = new Vitals(Supervision.LOG_ONLY, Duration.ofSeconds(10))) {
            vitals.heart("artel-test").begin();
            var now = System.nanoTime();
            vitals.look(now);

            now += Duration.ofHours(1).toNanos();
            vitals.look(now);
            assertThat(vitals.stuck()).isEmpty();

            for (var i = 0; i < 10; i++) {
                now += Duration.ofSeconds(1).toNanos();
                vitals.look(now);
            }
            assertThat(vitals.stuck()).extracting(StuckPart::part).containsExactly("artel-test");
        }
    }

    @Test
    void aPartThatGoesOnToTheNextThing_isNotStuck_andOneThatMayTakeLongerGetsThat() {
        try (var vitals = new Vitals(Supervision.LOG_ONLY, Duration.ofSeconds(2))) {
            var busy = vitals.heart("artel-busy");
            vitals.heart("artel-slow", Duration.ofSeconds(8)).begin();
            var now = System.nanoTime();
            for (var i = 0; i < 8; i++) {
                busy.begin();
                vitals.look(now);
                assertThat(vitals.stuck()).isEmpty();
                now += Duration.ofSeconds(1).toNanos();
            }

            busy.rest();
            vitals.look(now);

            assertThat(vitals.stuck()).extracting(StuckPart::part).containsExactly("artel-slow");
        }
    }
}
