package dev.artel.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.protocol.TaskOutcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which failures another attempt may mend.
final class ReportAnswersTest {
    @ParameterizedTest
    @CsvSource({
        "INVALID_INPUT_ERROR,INVALID_INPUT",
        "PERMANENT_ERROR,PERMANENT",
        "SECURITY_ERROR,PERMANENT",
        "DEPENDENCY_ERROR,PERMANENT",
        "INTEGRITY_MISMATCH_ERROR,PERMANENT",
        "CONTRACT_VIOLATION_ERROR,PERMANENT",
        "TRANSIENT_ERROR,TRANSIENT",
        "RESOURCE_EXHAUSTED_ERROR,TRANSIENT",
    })
    void aCode_isForGoodOrForNow(String code, ErrorClass errorClass) {
        assertThat(ReportAnswers.report(new TaskOutcome.Failed(code, "why")))
                .isEqualTo(new TaskReport.Failed(new TaskError(errorClass, code, "why")));
    }
}
