package dev.artel.kernel.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AskedQuestionsTest {
    private static final Question WHICH =
            new Question("id", "Which account?", List.of("savings", "current"));

    @Test
    void aQuestionOfOneOfManyTasks_isFoundByItsNumber_andNoOtherIs() {
        var questions = AskedQuestions.NONE;
        for (var task = 0; task < 10_000; task++) {
            questions = questions.with(7 + 3L * task, task, WHICH);
        }

        for (var task = 0; task < 10_000; task++) {
            assertThat(questions.taskOf(7 + 3L * task)).hasValue(task);
            assertThat(questions.taskOf(8 + 3L * task)).isEmpty();
        }
        assertThat(questions.taskOf(6)).isEmpty();
        assertThat(AskedQuestions.NONE.taskOf(1)).isEmpty();
    }

    @Test
    void theirCharactersAreCounted_withChoicesAndAnswers() {
        var questions = AskedQuestions.NONE.with(3, 0, WHICH).withAnswer("savings");

        assertThat(questions.characters())
                .isEqualTo("id".length() + "Which account?".length() + 3 * "savings".length());
    }
}
