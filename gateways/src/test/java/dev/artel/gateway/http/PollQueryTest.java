package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.WorkerMessage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PollQueryTest {
    private static WorkerMessage.Poll read(String available) {
        return PollQuery.read(
                new WorkerId("w1"),
                name -> name.equals("available_skills") ? List.of(available) : List.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b",
                " a , b ",
                "[\"a\",\"b\"]",
                "[ \"a\" , \"b\" ]",
                "[a,b]",
                "\"a\",\"b\",,"
            })
    void names_areReadInAllTheirForms(String available) {
        assertThat(read(available).available()).containsExactly("a", "b");
    }

    @Test
    void whatHasNoName_isNone_andOddCharactersStay() {
        assertThat(read("[]").available()).isEmpty();
        assertThat(read("\"").available()).isEmpty();
        assertThat(read("a b, [x]y").available()).containsExactly("a b", "x]y");
    }

    @Test
    void moreNamesThanAWorkerMayHave_areRefused() {
        assertThatThrownBy(() -> read("a,".repeat(1_001)))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("available_skills: expected at most 1000 task types");
    }

    /// Trap: a pattern looks at all blanks once for each of them.
    @Test
    void blanksWithoutEnd_areReadOnce() {
        assertThatThrownBy(() -> read("a" + " ".repeat(4_000_000) + "b"))
                .hasMessageContaining("names of at most 200 characters");
    }
}
