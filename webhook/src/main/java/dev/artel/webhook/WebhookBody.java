package dev.artel.webhook;

import dev.artel.approval.ApprovalLinks;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.webhook.WebhookEvent;
import dev.artel.kernel.webhook.WebhookEventType;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntSupplier;

/// Makes the body of a call, anew for each attempt. Safe for use by many threads.
final class WebhookBody {
    /// A text with indentation is seldom longer than so many times the same without.
    private static final int WITH_WHITE_SPACE = 2;

    private final IntSupplier maxBodyBytes;
    private final Subscriptions subscriptions;
    private final Secrets secrets;
    private final InstantSource clock;
    private final Function<JobId, Optional<Job>> jobs;
    private final Function<Payload, JsonValue> values;
    private final ApprovalLinks links;

    /// @param maxBodyBytes a body that would be larger leaves out the result of the job
    /// @param jobs finds a job
    /// @param links for approvals
    /// @param values resolves what is kept elsewhere
    WebhookBody(
            IntSupplier maxBodyBytes,
            Subscriptions subscriptions,
            Secrets secrets,
            InstantSource clock,
            Function<JobId, Optional<Job>> jobs,
            Function<Payload, JsonValue> values,
            ApprovalLinks links) {
        this.maxBodyBytes = maxBodyBytes;
        this.subscriptions = subscriptions;
        this.secrets = secrets;
        this.clock = clock;
        this.jobs = jobs;
        this.values = values;
        this.links = links;
    }

    /// The id of a call: the same for each attempt, also after a restart.
    static String id(JobId job, EffectId call) {
        return "msg_" + job + "-" + call.event() + "-" + call.ordinal();
    }

    /// Why calls to a receiver end.
    static String isGone(WebhookEvent webhookEvent) {
        return "subscription " + webhookEvent.to().subscriber() + " was removed";
    }

    /// The current message.
    ///
    /// @throws WebhookDelivery.Gone if there is no message any more
    WebhookDelivery.Sent of(JobId id, WebhookEvent webhookEvent) {
        var job =
                jobs.apply(id)
                        .orElseThrow(() -> new WebhookDelivery.Gone("job " + id + " was removed"));
        var to = to(job, webhookEvent);
        var result =
                webhookEvent.webhookEventType() == WebhookEventType.FINISHED
                                && job.phase()
                                        instanceof Job.Ended(JobOutcome.Finished(var value), var _)
                        ? value
                        : Payload.of(JsonNull.NULL);
        var most = maxBodyBytes.getAsInt();
        if (mayFit(result, most)) {
            var whole = JsonText.write(body(job, webhookEvent, values.apply(result)));
            if (whole.length <= most) {
                return to.sent(whole);
            }
        }
        return to.sent(
                JsonText.write(
                        body(job, webhookEvent, JsonNull.NULL)
                                .with("result_omitted", JsonValue.of(true))));
    }

    /// Where a message goes, and what signs it.
    private record To(URI url, List<String> secrets) {
        WebhookDelivery.Sent sent(byte[] body) {
            return new WebhookDelivery.Sent(url, secrets, body);
        }
    }

    /// A subscription is called where it is now: its address may be another one since the event.
    private To to(Job job, WebhookEvent webhookEvent) {
        return webhookEvent
                .to()
                .url()
                .map(url ->
                        new To(
                                URI.create(url),
                                secrets.allOfClient(job.spec().client(), clock.instant())))
                .or(() ->
                        subscriptions
                                .find(webhookEvent.to().subscriber())
                                .map(one ->
                                        new To(
                                                URI.create(one.url()),
                                                one.signing(clock.instant()))))
                .orElseThrow(() -> new WebhookDelivery.Gone(isGone(webhookEvent)));
    }

    /// Whether `result` may fit into a body of `most` bytes, without the white space that its text may have. What is left out anyway is not read: it may
    /// be as large as a value can be.
    static boolean mayFit(Payload result, int most) {
        return Payload.bytesApart(result) <= (long) WITH_WHITE_SPACE * most;
    }

    private JsonObject body(Job job, WebhookEvent webhookEvent, JsonValue result) {
        var isWaiting = webhookEvent.webhookEventType() == WebhookEventType.WAITING;
        var body =
                JsonObject.builder()
                        .put("event", webhookEvent.webhookEventType().text())
                        .put("job_id", job.id().value())
                        .put("status", status(webhookEvent.webhookEventType()))
                        .put("result", result)
                        .put(
                                "error",
                                isWaiting
                                        ? JsonNull.NULL
                                        : webhookEvent
                                                .detail()
                                                .<JsonValue>map(JsonString::new)
                                                .orElse(JsonNull.NULL))
                        .put("event_id", id(job.id(), webhookEvent.id()))
                        .put("time", webhookEvent.at().toString())
                        .put("blueprint", job.spec().blueprint().name())
                        .put("labels", labels(job));
        if (isWaiting) {
            var waiting =
                    JsonObject.builder()
                            .put("number", webhookEvent.id().event())
                            .put("message", webhookEvent.detail().orElse(""));
            links.of(job, webhookEvent.id().event(), webhookEvent.to().url().isPresent())
                    .ifPresent(link -> waiting.put("link", link));
            body.put("waiting", waiting.build());
        }
        return body.build();
    }

    private static JsonObject labels(Job job) {
        var labels = JsonObject.builder();
        job.spec().options().labels().forEach(labels::put);
        return labels.build();
    }

    private static String status(WebhookEventType webhookEventType) {
        return switch (webhookEventType) {
            case FINISHED -> "finished";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
            case QUARANTINED -> "quarantined";
            case WAITING -> "waiting_for_human";
        };
    }
}
