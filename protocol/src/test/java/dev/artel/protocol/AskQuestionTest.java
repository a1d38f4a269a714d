package dev.artel.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class AskQuestionTest {
    private static AskQuestion read(String body) throws MalformedJson {
        return AskQuestion.read("w1", "t1", JsonText.read(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void theSameWords_areTheSameQuestion_alsoInAnotherAttempt() throws MalformedJson {
        var first = read("{\"question\":\"Which?\",\"choices\":[\"a\",\"b\"]}");
        var again = read("{\"choices\":[\"a\",\"b\"],\"question\":\"Which?\"}");
        var other = read("{\"question\":\"Which?\",\"choices\":[\"ab\"]}");

        assertThat(first.id()).isEqualTo(again.id()).isNotEqualTo(other.id()).hasSize(32);
        assertThat(first.lease()).isEqualTo("t1");
    }

    private static Stream<Arguments> malformed() {
        var long4001 = "x".repeat(4001);
        return Stream.of(
                Arguments.of("{}", "question: expected a string, found nothing"),
                Arguments.of(
                        "{\"question\":\" \"}",
                        "question: expected a string that is not blank, found a blank one"),
                Arguments.of(
                        "{\"question\":\"" + long4001 + "\"}",
                        "question: expected 1 to 4000 characters, found 4001 of them"),
                Arguments.of(
                        "{\"question\":\"?\",\"choices\":[\"a\",\"a\"]}",
                        "choices: expected choices that differ, found one of them twice"),
                Arguments.of(
                        "{\"question\":\"?\",\"choices\":[\"\"]}",
                        "choices: expected 1 to 200 characters, found 0 of them"),
                Arguments.of(
                        "{\"question\":\"?\",\"answer_within_ms\":0}",
                        "answer_within_ms: expected 1 to 315360000000 milliseconds, found 0"),
                Arguments.of(
                        "{\"question\":\"?\",\"id\":\"\"}",
                        "id: expected 1 to 200 characters, found 0 of them"));
    }

    @ParameterizedTest
    @MethodSource
    void malformed(String body, String message) {
        assertThatThrownBy(() -> read(body)).hasMessage(message);
    }
}
