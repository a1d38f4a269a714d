package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.artel.waits.Await;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class PendingRepliesTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    private final PendingReplies<String> replies = new PendingReplies<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @Test
    void anAnswer_comesOnce() {
        var asked = new AtomicLong();
        replies.ask(asked::set, Await.longest(), () -> "late", heard::add);

        replies.answer(asked.get(), "first");
        replies.answer(asked.get(), "second");

        assertThat(heard).containsExactly("first");
        assertThat(replies.size()).isZero();
    }

    @Test
    void whoIsNotAnsweredInTime_isAnsweredAllTheSame_once() {
        var asked = new AtomicLong();
        var other = new AtomicLong();
        replies.ask(asked::set, SHORT, () -> "late", heard::add);
        replies.ask(other::set, Await.longest(), () -> "other is late", heard::add);

        await().until(() -> !heard.isEmpty());
        replies.answer(asked.get(), "too late");
        replies.answer(other.get(), "in time");

        assertThat(heard).containsExactly("late", "in time");
        assertThat(replies.size()).isZero();
    }

    @Test
    void whatIsAskedAfterOthersWereLate_isLateAsWell() {
        replies.ask(_ -> {}, SHORT, () -> "late", heard::add);
        await().until(() -> !heard.isEmpty());

        replies.ask(_ -> {}, SHORT, () -> "late again", heard::add);

        await().until(() -> heard.equals(List.of("late", "late again")));
    }

    @Test
    void aQuestionThatFails_waitsForNothing() {
        assertThatIllegalStateException()
                .isThrownBy(() ->
                        replies.ask(
                                _ -> {
                                    throw new IllegalStateException("closed");
                                },
                                Await.longest(),
                                () -> "late",
                                heard::add));

        assertThat(replies.size()).isZero();
        assertThat(heard).isEmpty();
    }

    @Test
    void aCallerThatFails_keepsNothingFromOthers() {
        var asked = new AtomicLong();
        replies.ask(
                _ -> {},
                SHORT,
                () -> "late",
                answer -> {
                    throw new IllegalStateException(answer);
                });
        replies.ask(
                asked::set,
                Await.longest(),
                () -> "late",
                answer -> {
                    throw new IllegalStateException(answer);
                });
        replies.ask(_ -> {}, SHORT, () -> "late", heard::add);

        replies.answer(asked.get(), "answer");

        await().until(() -> heard.equals(List.of("late")) && replies.size() == 0);
    }

    @Test
    void whoWaits_isAnswered() {
        assertThat(replies.ask(id -> replies.answer(id, "now"), Await.longest(), () -> "late"))
                .isEqualTo("now");
        assertThat(replies.ask(_ -> {}, SHORT, () -> "late")).isEqualTo("late");
        assertThat(replies.size()).isZero();
    }
}
