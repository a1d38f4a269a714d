package dev.artel.store.codec;

import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEventType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The form of a job's webhooks.
final class WebhookCodec {
    private WebhookCodec() {}

    static void write(List<Webhook> webhooks, JsonOut out) throws IOException {
        if (webhooks.isEmpty()) {
            return;
        }
        out.beginArray("webhooks");
        for (var webhook : webhooks) {
            out.begin();
            switch (webhook) {
                case Webhook(var subscriber, var url, var webhookEventTypes) -> {
                    out.text("subscriber", subscriber);
                    out.text("url", url);
                    out.texts(
                            "events",
                            webhookEventTypes.stream().map(WebhookEventType::text).toList());
                }
            }
            out.end();
        }
        out.endArray();
    }

    static List<Webhook> read(JsonIn in) throws IOException {
        if (!in.isNext("webhooks")) {
            return List.of();
        }
        in.beginArray("webhooks");
        var webhooks = new ArrayList<Webhook>();
        while (in.beginNext()) {
            var subscriber = in.text("subscriber");
            var url = in.optionalText("url");
            var webhookEventTypes = new ArrayList<WebhookEventType>();
            for (var text : in.texts("events")) {
                webhookEventTypes.add(
                        WebhookEventType.of(text)
                                .orElseThrow(() ->
                                        in.found("event \"" + text + "\"", "an event of a job")));
            }
            webhooks.add(new Webhook(subscriber, url, webhookEventTypes));
            in.end();
        }
        return webhooks;
    }
}
