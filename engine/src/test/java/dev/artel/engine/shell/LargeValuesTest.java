package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LargeValuesTest {
    private final LargeValues values = new LargeValues(new KeepsApart());

    /// Trap: a number counts as one character, and megabytes of digits stay in the job.
    @Test
    void numbersOfManyDigits_areKeptApart() {
        var number = new JsonNumber(new BigDecimal(BigInteger.TEN.pow(898)));
        JsonValue list = new JsonArray(Collections.nCopies(100, number));

        assertThat(values.keep(Payload.of(list))).isInstanceOf(Payload.Ref.class);
        assertThat(values.keep(succeeded("success", JsonObject.of("digits", list))))
                .isInstanceOfSatisfying(
                        TaskReport.Succeeded.class,
                        its -> assertThat(its.data()).isInstanceOf(Payload.Members.class));
    }

    /// Trap: a megabyte is written once to learn its length, and again to keep it.
    @Test
    void aLargeMember_isWrittenOnce() {
        var measured = new AtomicInteger();
        var store =
                new KeepsApart() {
                    @Override
                    public long bytes(JsonValue value) {
                        measured.incrementAndGet();
                        return super.bytes(value);
                    }

                    @Override
                    public Payload.Ref put(JsonValue value) {
                        return new Payload.Ref("1".repeat(64), value.toString().length());
                    }
                };
        var data =
                JsonObject.of("large", JsonValue.of("x".repeat(1 << 20)), "small", JsonValue.of(1));

        var kept = new LargeValues(store).keep(JobData.of(data)).values();

        assertThat(kept.get("large")).isInstanceOf(Payload.Ref.class);
        assertThat(kept.get("small")).isInstanceOf(Payload.Inline.class);
        assertThat(measured).hasValue(1);
    }

    /// Trap: a worker reports a word of a megabyte, which stays with each task of the job.
    @Test
    void aStatusThatIsNoWord_isAFailure() {
        var kept = values.keep(succeeded("x".repeat(201), JsonObject.EMPTY));

        assertThat(kept)
                .isInstanceOfSatisfying(
                        TaskReport.Failed.class,
                        its -> {
                            assertThat(its.error().code()).isEqualTo("INVALID_RESULT");
                            assertThat(its.error().message()).contains("201 characters");
                        });
        assertThat(values.keep(succeeded("x".repeat(200), JsonObject.EMPTY)))
                .isInstanceOf(TaskReport.Succeeded.class);
    }

    private static TaskReport succeeded(String status, JsonObject data) {
        return new TaskReport.Succeeded(status, Payload.of(data));
    }
}
