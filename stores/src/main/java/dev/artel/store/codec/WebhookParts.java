package dev.artel.store.codec;

import dev.artel.kernel.job.Occasion;
import dev.artel.kernel.job.Webhook;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The form of a job's webhooks.
final class WebhookParts {
    private WebhookParts() {}

    static void write(List<Webhook> webhooks, JsonOut out) throws IOException {
        if (webhooks.isEmpty()) {
            return;
        }
        out.beginArray("webhooks");
        for (var webhook : webhooks) {
            out.begin();
            switch (webhook) {
                case Webhook(var subscriber, var url, var occasions) -> {
                    out.text("subscriber", subscriber);
                    out.text("url", url);
                    out.texts("events", occasions.stream().map(Occasion::text).toList());
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
            var occasions = new ArrayList<Occasion>();
            for (var text : in.texts("events")) {
                occasions.add(
                        Occasion.of(text)
                                .orElseThrow(() ->
                                        in.found("event \"" + text + "\"", "an event of a job")));
            }
            webhooks.add(new Webhook(subscriber, url, occasions));
            in.end();
        }
        return webhooks;
    }
}
