package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEvent;
import dev.artel.kernel.webhook.WebhookEventType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class WebhookRelayTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId JOB = new JobId("j");
    private static final Effect.CallWebhook CALL = call();

    private final List<JobCommand> given = new ArrayList<>();
    private final AtomicInteger wakes = new AtomicInteger();
    private final WebhookRelay relay =
            new WebhookRelay(InstantSource.fixed(NOW), (_, command) -> given.add(command));

    /// Throws the first time.
    private static final class Clumsy implements Notifier {
        private int calls;

        @Override
        public List<Webhook> subscribers(String blueprint) {
            return List.of();
        }

        @Override
        public void deliver(
                JobId job, String client, WebhookEvent webhookEvent, Consumer<Reply> onReply) {
            if (++calls == 1) {
                throw new IllegalStateException("a bug");
            }
            onReply.accept(new End(1, Optional.empty()));
        }

        @Override
        public boolean hasRoom(String client, WebhookEvent webhookEvent) {
            return true;
        }

        @Override
        public boolean holds(JobId job, EffectId call) {
            return false;
        }
    }

    /// Trap: the call counts as under way forever, and nobody makes it.
    @Test
    void aCallThatCannotBeHandedOn_isTakenUpAgainLater() {
        relay.onPutOff(wakes::incrementAndGet);
        relay.connect(new Clumsy());

        relay.perform(JOB, "somebody", List.of(CALL));
        assertThat(wakes).hasValue(1);
        assertThat(relay.isUnderWay(JOB, CALL.id())).isFalse();
        assertThat(relay.isPuttingOff()).isTrue();

        relay.perform(JOB, "somebody", List.of(CALL));
        assertThat(given)
                .singleElement()
                .isInstanceOfSatisfying(
                        JobCommand.SettleWebhook.class,
                        settle -> assertThat(settle.problem()).isEmpty());
    }

    private static Effect.CallWebhook call() {
        var id = new EffectId(3, 0);
        var to = new Webhook(Webhook.OWN, Optional.empty(), List.of(WebhookEventType.FINISHED));
        return new Effect.CallWebhook(
                id, new WebhookEvent(id, to, WebhookEventType.FINISHED, Optional.empty(), NOW));
    }
}
