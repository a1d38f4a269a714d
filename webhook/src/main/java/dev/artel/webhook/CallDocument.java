package dev.artel.webhook;

import dev.artel.config.WebhookUrl;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.webhook.WebhookEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Shows calls and what became of them.
final class CallDocument {
    private CallDocument() {}

    /// The calls about a job, the last first.
    static JsonArray of(Job job, Outbox outbox) {
        var tries =
                outbox.list(
                        webhookDelivery -> webhookDelivery.job.equals(Optional.of(job.id())),
                        1_000,
                        CallDocument::shown);
        var byCall = new HashMap<String, JsonObject>();
        tries.forEach(one -> one.string("call").ifPresent(call -> byCall.putIfAbsent(call, one)));
        var all = new ArrayList<JsonValue>();
        for (var webhookEvent : job.webhookEvents().pending().reversed()) {
            all.add(line(webhookEvent, "pending", byCall).build());
        }
        for (var past : job.webhookEvents().past().reversed()) {
            var line =
                    line(
                            past.webhookEvent(),
                            past.problem().isPresent() ? "given_up" : "delivered",
                            byCall);
            line.put("attempt_count", (long) past.attempts());
            past.problem().ifPresent(why -> line.put("problem", why));
            line.put("settled_at", past.at().toString());
            all.add(line.build());
        }
        return new JsonArray(all);
    }

    private static JsonObject.Builder line(
            WebhookEvent webhookEvent, String state, Map<String, JsonObject> tries) {
        var line =
                JsonObject.builder()
                        .put("call", webhookEvent.id().toString())
                        .put("event", webhookEvent.webhookEventType().text())
                        .put("subscriber", webhookEvent.to().subscriber())
                        .put("state", state)
                        .put("at", webhookEvent.at().toString());
        webhookEvent.to().url().ifPresent(url -> line.put("url", WebhookUrl.shown(url)));
        var attempts = Optional.ofNullable(tries.get(webhookEvent.id().toString()));
        line.put(
                "attempts", attempts.flatMap(one -> one.array("attempts")).orElse(JsonArray.EMPTY));
        attempts.flatMap(one -> one.string("next_try"))
                .ifPresent(next -> line.put("next_try", next));
        return line;
    }

    /// A call as it is remembered.
    static JsonObject shown(WebhookDelivery webhookDelivery) {
        var attempts =
                webhookDelivery.tries().stream()
                        .<JsonValue>map(attempt -> {
                            var one =
                                    JsonObject.builder()
                                            .put("at", attempt.at().toString())
                                            .put("duration_ms", attempt.millis());
                            attempt.status()
                                    .ifPresent(status -> one.put("status", JsonNumber.of(status)));
                            attempt.error().ifPresent(error -> one.put("error", error));
                            return one.build();
                        })
                        .toList();
        var shown =
                JsonObject.builder()
                        .put("event_id", webhookDelivery.id)
                        .put("event", webhookDelivery.event)
                        .put("state", webhookDelivery.state)
                        .put("at", webhookDelivery.created.toString())
                        .put("attempt_count", (long) webhookDelivery.attempts)
                        .put("attempts", new JsonArray(attempts));
        webhookDelivery.job.ifPresent(job -> shown.put("job_id", job.value()));
        webhookDelivery.call.ifPresent(call -> shown.put("call", call.toString()));
        webhookDelivery.problem.ifPresent(problem -> shown.put("problem", problem));
        webhookDelivery.next.ifPresent(next -> shown.put("next_try", next.toString()));
        return shown.build();
    }
}
