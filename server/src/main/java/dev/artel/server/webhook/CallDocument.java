package dev.artel.server.webhook;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.Notice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Shows calls and what became of them.
final class CallDocument {
    private CallDocument() {}

    /// The calls about a job, the last first.
    static JsonArray of(Job job, Outbox outbox) {
        var tries =
                outbox.list(
                        parcel -> parcel.job.equals(Optional.of(job.id())),
                        1_000,
                        CallDocument::shown);
        var all = new ArrayList<JsonValue>();
        for (var notice : job.notices().pending().reversed()) {
            all.add(line(notice, "pending", tries).build());
        }
        for (var past : job.notices().past().reversed()) {
            var line =
                    line(
                            past.notice(),
                            past.problem().isPresent() ? "given_up" : "delivered",
                            tries);
            line.put("attempt_count", (long) past.attempts());
            past.problem().ifPresent(why -> line.put("problem", why));
            line.put("settled_at", past.at().toString());
            all.add(line.build());
        }
        return new JsonArray(all);
    }

    private static JsonObject.Builder line(Notice notice, String state, List<JsonObject> tries) {
        var line =
                JsonObject.builder()
                        .put("call", notice.id().toString())
                        .put("event", notice.occasion().text())
                        .put("subscriber", notice.to().subscriber())
                        .put("state", state)
                        .put("at", notice.at().toString());
        notice.to().url().ifPresent(url -> line.put("url", url));
        var attempts =
                tries.stream()
                        .filter(one ->
                                one.string("call").equals(Optional.of(notice.id().toString())))
                        .findFirst();
        line.put(
                "attempts", attempts.flatMap(one -> one.array("attempts")).orElse(JsonArray.EMPTY));
        attempts.flatMap(one -> one.string("next_try"))
                .ifPresent(next -> line.put("next_try", next));
        return line;
    }

    /// A call as it is remembered.
    static JsonObject shown(Parcel parcel) {
        var attempts =
                parcel.tries().stream()
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
                        .put("event_id", parcel.id)
                        .put("event", parcel.event)
                        .put("state", parcel.state)
                        .put("at", parcel.created.toString())
                        .put("attempt_count", (long) parcel.attempts)
                        .put("attempts", new JsonArray(attempts));
        parcel.job.ifPresent(job -> shown.put("job_id", job.value()));
        parcel.call.ifPresent(call -> shown.put("call", call.toString()));
        parcel.problem.ifPresent(problem -> shown.put("problem", problem));
        parcel.next.ifPresent(next -> shown.put("next_try", next.toString()));
        return shown.build();
    }
}
