package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ReasonTextTest {
    private static final String LONG = "x".repeat(1_000_000);

    @Test
    void aTextThatIsTooLong_isItsBeginning_andHowLongItWas() {
        var bounded = ReasonText.bounded(LONG);

        assertThat(bounded)
                .hasSizeLessThan(ReasonText.LONGEST + 40)
                .endsWith("x... (1000000 characters)");
        assertThat(ReasonText.bounded(bounded)).isSameAs(bounded);
        assertThat(ReasonText.bounded("short")).isEqualTo("short");
    }

    @Test
    void aCharacterOfTwoParts_isNotCutInTwo() {
        var face = "\ud83d\ude00".repeat(100);

        assertThat(ReasonText.bounded(face, 11)).startsWith("\ud83d\ude00".repeat(5) + "... (");
    }

    /// Trap: a worker reports messages of megabytes, which are in the history, in memory and in each list of failed jobs.
    @Test
    void whatWorkersClientsAndHandlersReport_isBounded() {
        var error = new TaskError(ErrorClass.PERMANENT, LONG, LONG);
        assertThat(error.code()).hasSize(TaskError.LONGEST_CODE);
        assertBounded(error.message());
        assertBounded(new JobOutcome.Failed(LONG).reason());
        assertBounded(new JobOutcome.Cancelled(LONG).reason());
        assertBounded(new Resolution.Failed(LONG).reason());
        assertBounded(new QuarantineAction.Discard(LONG).reason());
        assertBounded(new JobCommand.Cancel(LONG, Instant.EPOCH).reason());
        assertBounded(new JobEvent.JobQuarantined(LONG, Instant.EPOCH).reason());
    }

    private static void assertBounded(String text) {
        assertThat(text).endsWith("(1000000 characters)").hasSizeLessThan(8_100);
    }
}
