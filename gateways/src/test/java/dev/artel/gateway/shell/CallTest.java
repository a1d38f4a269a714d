package dev.artel.gateway.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.session.SessionReply;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Trap: the session waits for what comes of a call that its sender no longer makes, and keeps the report or the question
/// forever.
final class CallTest {
    private final Call call = new Call();
    private final CountDownLatch made = new CountDownLatch(1);

    @Test
    void whatIsToBeMadeAfterTheWait_isMadeAllTheSame() throws Exception {
        assertThat(call.await(Duration.ZERO)).isInstanceOf(SessionReply.TryLater.class);

        call.make(made::countDown);

        assertThat(made.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void whatWasNotBegun_whenTheAnswerCame_isMadeAllTheSame() throws Exception {
        call.reply(new SessionReply.Done());
        call.make(made::countDown);

        assertThat(call.await(Duration.ofMinutes(1))).isInstanceOf(SessionReply.Done.class);

        assertThat(made.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
    }
}
