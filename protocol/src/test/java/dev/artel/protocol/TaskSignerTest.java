package dev.artel.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Signatures as they were computed by the library with which workers check them.
final class TaskSignerTest {
    private static final TaskSigner SIGNER = new TaskSigner("task-secret-key-0123456789");

    private static TaskAssignment task(String params, TaskAssignment.Terms terms) {
        return new TaskAssignment(
                "j1",
                "t1",
                "echo",
                (JsonObject) JsonText.read(params),
                JsonObject.EMPTY,
                terms,
                null,
                List.of());
    }

    @Test
    void aTask_isSignedAsItsWorkersComputeIt() {
        var signed =
                SIGNER.signed(
                        task(
                                "{\"z\":null,\"a\":[1.0,null,-0.0,0.1,1e-5,1e-6,1.5e-7,123456789012.5,12345678901234567.5,1e16,"
                                        + "2.5e15,9223372036854775807,-9223372036854775808,0.30000000000000004],"
                                        + "\"\\u00fc\\ue000\":\"\\\"\\\\\\b\\t\\n\\f\\r\\u0001\\u001f\\u007f/<\\u2028\","
                                        + "\"\\ud83c\\udf89\":true,\"n\":{}}",
                                new TaskAssignment.Terms(
                                        "x",
                                        2,
                                        2.5,
                                        Instant.ofEpochMilli(1_893_456_000_000L),
                                        null)));

        assertThat(signed.toJson().string("sig"))
                .contains("9cde39d546bf9af9dbe09a21b9ec6d813a90041b38b768d67834a9d4db26de51");
        assertThat(TaskAssignment.read(signed.toJson())).isEqualTo(signed);
    }

    @Test
    void aTaskWithoutDeadline_isSignedAsItsWorkersComputeIt() {
        var task =
                new TaskAssignment(
                        "j2",
                        "t2",
                        "echo",
                        JsonObject.EMPTY,
                        (JsonObject) JsonText.read("{\"traceparent\":\"00-1\"}"),
                        TaskAssignment.Terms.NONE);

        assertThat(SIGNER.signature(task))
                .isEqualTo("ad5ffe42cff423ebc7de1fcdaa94a1fa12312acfca5b73a92f480e2dc8ebdedd");
        assertThat(task.toJson().has("sig")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "18446744073709551615,18446744073709551615",
        "1e19,10000000000000000000",
        "-1e18,-1000000000000000000",
        "1.0e2,100",
        "5e-324,5e-324",
        "-0.00001234,-0.00001234",
        "123e-20,1.23e-18",
        "9007199254740993.0,9007199254740992",
        "1e-400,0",
        "0.000001234,1.234e-6",
    })
    void numbers_areWrittenAsTheirWorkersWriteThem(String number, String written) {
        assertThat(TaskSigner.canonical(task("{\"x\":" + number + "}", TaskAssignment.Terms.NONE)))
                .contains("\"params\":{\"x\":" + written + "}");
    }

    /// Trap: one such parameter prevents that its task is written, and all that are written with it.
    @Test
    void aNumberBeyondAllDoubles_isNull_asTheLibraryOfTheWorkersWritesIt() {
        var params = "{\"a\":1e400,\"b\":[-1e400,1e999999999,1],\"c\":{\"d\":1e309},\"e\":1e300}";

        assertThat(TaskSigner.canonical(task(params, TaskAssignment.Terms.NONE)))
                .contains("\"params\":{\"b\":[null,null,1],\"c\":{},\"e\":1e300}");
    }
}
