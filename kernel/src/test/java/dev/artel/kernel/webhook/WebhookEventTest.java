package dev.artel.kernel.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Story;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The calls of a job's webhooks.
final class WebhookEventTest {
    private static final Webhook OWN = Webhook.of("https://example.com/hook");

    private static Story withWebhooks(Webhook... webhooks) {
        return Story.begun(JobOptions.DEFAULTS.withWebhooks(List.of(webhooks)));
    }

    private static JobCommand settle(Story story, Effect.CallWebhook call, String problem) {
        return new JobCommand.SettleWebhook(
                call.id(), 2, Optional.of(problem).filter(it -> !it.isEmpty()), story.now());
    }

    /// Trap: a webhook for the end holds the job up, or is forgotten when the job is over.
    @Test
    void theEndOfAJob_isSentToItsWebhook_andTheJobIsClosedWhenThatIsOver() {
        var story = withWebhooks(OWN).step(0, Action.finish(JsonObject.EMPTY));

        assertThat(story.job().isFinal()).isTrue();
        assertThat(story.job().isQuiet()).isTrue();
        assertThat(story.job().isClosed()).isFalse();
        var call = story.pending(Effect.CallWebhook.class).getFirst();
        assertThat(call.webhookEvent().webhookEventType()).isEqualTo(WebhookEventType.FINISHED);

        story.accepted(settle(story, call, ""));

        assertThat(story.job().isClosed()).isTrue();
        assertThat(story.job().webhookEvents().past())
                .singleElement()
                .satisfies(past -> assertThat(past.attempts()).isEqualTo(2));
    }

    @Test
    void theSameAnswerAgain_changesNothing_andAnotherCallIsUnknown() {
        var story = withWebhooks(OWN).step(0, Action.fail("no luck"));
        var call = story.pending(Effect.CallWebhook.class).getFirst();
        assertThat(call.webhookEvent().detail()).contains("no luck");

        assertThat(story.accepted(settle(story, call, "it is gone"))).hasSize(1);
        assertThat(story.accepted(settle(story, call, ""))).isEmpty();

        assertThat(story.job().webhookEvents().past().getFirst().problem()).contains("it is gone");
        story.assertRefused(
                new JobCommand.SettleWebhook(new EffectId(99, 0), 1, Optional.empty(), story.now()),
                Decision.Reason.STALE_EFFECT,
                "job job-1: it does not wait for webhook call 99.0");
    }

    @Test
    void eachWebhookReceivesTheEventTypesThatItNames() {
        var story =
                withWebhooks(
                        OWN,
                        Webhook.subscription("wh-1", List.of(WebhookEventType.CANCELLED)),
                        Webhook.subscription("wh-2", List.of(WebhookEventType.FAILED)));

        story.cancel();

        assertThat(story.pending(Effect.CallWebhook.class))
                .extracting(call -> call.webhookEvent().to().subscriber())
                .containsExactly("job", "wh-1");
    }

    @Test
    void aJobThatAsksAPerson_orIsQuarantined_callsItsWebhookBeforeItsEnd() {
        var asking =
                withWebhooks(OWN)
                        .step(0, Action.awaitApproval("ship it?", Outcomes.on("yes", "end")));
        var broken = withWebhooks(OWN).stepFails(0, false);

        assertThat(asking.pending(Effect.CallWebhook.class))
                .singleElement()
                .satisfies(call -> {
                    assertThat(call.webhookEvent().webhookEventType())
                            .isEqualTo(WebhookEventType.WAITING);
                    assertThat(call.webhookEvent().detail()).contains("ship it?");
                    assertThat(call.id().event())
                            .isEqualTo(
                                    asking.pending(Effect.AwaitApproval.class).getFirst().number());
                });
        assertThat(broken.pending(Effect.CallWebhook.class))
                .extracting(call -> call.webhookEvent().webhookEventType())
                .containsExactly(WebhookEventType.QUARANTINED);
    }

    /// Trap: a receiver that is down lets a job grow forever.
    @Test
    void atMostAHundredCallsArePending_butTheEndIsAlwaysAdded() {
        var story = withWebhooks(OWN);
        for (var i = 0; i < 120; i++) {
            story.step(0, Action.awaitApproval("again?", Outcomes.on("yes", "start")));
            var wait = story.pending(Effect.AwaitApproval.class).getFirst();
            story.accepted(
                    new JobCommand.DecideApproval(
                            new Approver.OfClient("client", wait.number()),
                            "yes",
                            Optional.empty(),
                            story.now()));
        }
        assertThat(story.pending(Effect.CallWebhook.class)).hasSize(100);

        story.step(0, Action.finish(JsonObject.EMPTY));

        assertThat(story.pending(Effect.CallWebhook.class)).hasSize(101);
    }

    @Test
    void tooManyWebhooks_areRefused() {
        assertThatThrownBy(() -> JobOptions.DEFAULTS.withWebhooks(Collections.nCopies(21, OWN)))
                .hasMessageContaining("at most 20 webhooks")
                .hasMessageContaining("got 21");
    }
}
