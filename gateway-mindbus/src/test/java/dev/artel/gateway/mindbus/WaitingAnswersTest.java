package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WaitingAnswersTest {
    private final AtomicInteger read = new AtomicInteger();
    private final WaitingAnswers answers = new WaitingAnswers(2, read::incrementAndGet);

    @Test
    void answersAreRead_onceAsManyAsWaitedAreDoneWith() {
        answers.received();
        answers.received();
        answers.settled();
        assertThat(read).hasValue(0);

        answers.settled();
        answers.received();
        answers.settled();

        assertThat(read).hasValue(1);
    }

    /// Trap: of the answers that waited one expires, so that as many never come.
    @Test
    void answersAreRead_whereNoneWaitsAnyMore_andThoseThatCameAreDoneWith() {
        answers.received();
        answers.waiting(0);
        assertThat(read).hasValue(0);
        answers.settled();
        answers.waiting(1);
        assertThat(read).hasValue(0);

        answers.waiting(0);
        answers.waiting(0);

        assertThat(read).hasValue(1);
    }
}
