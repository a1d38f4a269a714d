package dev.artel.kernel.task;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.JobOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A time that cannot be added to a date would stop the job when it is decided on, so it is refused where it is set.
final class TimeLimitsTest {
    private static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final String TOO_LONG = " at most 36500 days, was PT2562047788015215H30M7S";

    @Test
    void aTaskThatMayTakeForever_isRefused() {
        var task = TaskSpec.of("work", JsonObject.EMPTY);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.withExecutionTimeout(FOREVER))
                .withMessage("task execution-timeout must be positive and" + TOO_LONG);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.withDispatchDeadline(FOREVER))
                .withMessage("task dispatch-deadline must be positive and" + TOO_LONG);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> task.withDispatchDeadline(Duration.ZERO))
                .withMessage(
                        "task dispatch-deadline must be positive and at most 36500 days, was PT0S");
    }

    @Test
    void aPauseForever_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.DEFAULTS.withDelays(Duration.ZERO, FOREVER))
                .withMessage("retry.max-delay must be" + TOO_LONG);
    }

    @Test
    void aWaitForever_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Action.waitFor(FOREVER, "next"))
                .withMessage("a wait must not be negative and" + TOO_LONG);
    }

    @Test
    void aGraceForever_orBackInTime_isRefused() {
        for (var grace : new Duration[] {FOREVER, Duration.ofSeconds(-1)}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            new JobOptions(
                                    0,
                                    Optional.empty(),
                                    new LinkedHashMap<>(),
                                    Optional.empty(),
                                    grace))
                    .withMessage(
                            "cancel grace must not be negative and at most 36500 days, was "
                                    + grace);
        }
    }
}
