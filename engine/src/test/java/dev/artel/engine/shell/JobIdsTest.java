package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.ClientPlan;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JobIdsTest {
    private static final Submission SUBMISSION =
            Submission.of("order", JsonObject.of("n", JsonValue.of(1)));

    /// Trap: a key that is used again for another version gets the job of the first.
    @Test
    void theDigestOfWhatWasAsked_distinguishesVersions() {
        var none = JobIds.digest(SUBMISSION);
        var first = JobIds.digest(SUBMISSION.withVersion(Optional.of("1")));
        var second = JobIds.digest(SUBMISSION.withVersion(Optional.of("2")));

        assertThat(none).isNotEqualTo(first).isNotEqualTo(second);
        assertThat(first).isNotEqualTo(second);
        assertThat(JobIds.digest(SUBMISSION.withVersion(Optional.of("1")))).isEqualTo(first);
    }

    @Test
    void aPlanThatChanges_isNoOtherSubmission() {
        var later = SUBMISSION.withTerms(new ClientPlan("gold", JsonObject.EMPTY));

        assertThat(JobIds.digest(later)).isEqualTo(JobIds.digest(SUBMISSION));
    }
}
