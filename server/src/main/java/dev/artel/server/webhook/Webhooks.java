package dev.artel.server.webhook;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Notice;
import dev.artel.kernel.job.Occasion;
import dev.artel.kernel.job.Webhook;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.task.Payload;
import dev.artel.server.config.WebhookSettings;
import java.net.InetAddress;
import java.net.URI;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLSocketFactory;

/// Calls the webhooks of jobs and of subscriptions. Safe for use by many threads.
///
/// What jobs have to tell is as durable as they are, and told at least once; what happens to workers is told as long as
/// this process lives.
public final class Webhooks implements Notifier, AutoCloseable {
    private final WebhookSettings settings;
    private final Subscriptions subscriptions;
    private final Secrets secrets;
    private final Outbox outbox;
    private final InstantSource clock;
    private final Function<JobId, Optional<Job>> jobs;
    private final Function<Payload, JsonValue> values;

    /// @param store keeps subscriptions and the key of secrets
    /// @param jobs finds a job
    /// @param values resolves what is kept elsewhere
    public Webhooks(
            WebhookSettings settings,
            KeyValueStore store,
            Function<JobId, Optional<Job>> jobs,
            Function<Payload, JsonValue> values,
            InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.jobs = jobs;
        this.values = values;
        subscriptions = new Subscriptions(store);
        secrets = new Secrets(store);
        var post =
                new SafePost(
                        settings,
                        clock,
                        (SSLSocketFactory) SSLSocketFactory.getDefault(),
                        InetAddress::getAllByName);
        outbox = new Outbox(settings, post, clock);
    }

    // Jobs

    @Override
    public List<Webhook> subscribers(String blueprint) {
        return subscriptions.all().stream()
                .filter(one -> !one.occasions(blueprint).isEmpty())
                .map(one -> Webhook.subscription(one.id(), one.occasions(blueprint)))
                .toList();
    }

    @Override
    public void deliver(JobId job, Notice notice, Consumer<End> told) {
        var url = url(notice);
        if (url.isEmpty()) {
            told.accept(new End(0, Optional.of(isGone(notice))));
            return;
        }
        outbox.put(
                new Parcel(
                        id(job, notice.id()),
                        notice.to().subscriber(),
                        Optional.of(job),
                        Optional.of(notice.id()),
                        notice.occasion().text(),
                        URI.create(url.get()),
                        notice.at(),
                        () -> content(job, notice),
                        told));
    }

    private Optional<String> url(Notice notice) {
        return notice.to()
                .url()
                .or(() -> subscriptions.find(notice.to().subscriber()).map(Subscription::url));
    }

    private static String isGone(Notice notice) {
        return "subscription " + notice.to().subscriber() + " was removed";
    }

    /// The same for each attempt, also after a restart.
    private static String id(JobId job, EffectId call) {
        return "msg_" + job + "-" + call.event() + "-" + call.ordinal();
    }

    @Override
    public boolean holds(JobId job, EffectId call) {
        return outbox.holds(id(job, call));
    }

    private Parcel.Sent content(JobId id, Notice notice) {
        var job = jobs.apply(id).orElseThrow(() -> new Parcel.Gone("job " + id + " was removed"));
        var secret =
                notice.to().url().isPresent()
                        ? secrets.ofClient(job.spec().client())
                        : subscriptions
                                .find(notice.to().subscriber())
                                .map(Subscription::secret)
                                .orElseThrow(() -> new Parcel.Gone(isGone(notice)));
        var result =
                notice.occasion() == Occasion.FINISHED
                                && job.phase()
                                        instanceof Job.Ended(JobOutcome.Finished(var said), var _)
                        ? values.apply(said)
                        : JsonNull.NULL;
        var whole = JsonText.write(body(job, notice, result));
        return new Parcel.Sent(
                secret,
                whole.length <= settings.limits().maxBodyBytes()
                        ? whole
                        : JsonText.write(
                                body(job, notice, JsonNull.NULL)
                                        .with("result_omitted", JsonValue.of(true))));
    }

    private static JsonObject body(Job job, Notice notice, JsonValue result) {
        var isWaiting = notice.occasion() == Occasion.WAITING;
        var body =
                JsonObject.builder()
                        .put("event", notice.occasion().text())
                        .put("job_id", job.id().value())
                        .put("status", status(notice.occasion()))
                        .put("result", result)
                        .put(
                                "error",
                                isWaiting
                                        ? JsonNull.NULL
                                        : notice.detail()
                                                .<JsonValue>map(JsonString::new)
                                                .orElse(JsonNull.NULL))
                        .put("event_id", id(job.id(), notice.id()))
                        .put("time", notice.at().toString())
                        .put("blueprint", job.spec().blueprint().name())
                        .put("labels", labels(job));
        if (isWaiting) {
            body.put(
                    "waiting",
                    JsonObject.builder()
                            .put("number", notice.id().event())
                            .put("message", notice.detail().orElse(""))
                            .build());
        }
        return body.build();
    }

    private static JsonObject labels(Job job) {
        var labels = JsonObject.builder();
        job.spec().options().labels().forEach(labels::put);
        return labels.build();
    }

    private static String status(Occasion occasion) {
        return switch (occasion) {
            case FINISHED -> "finished";
            case FAILED -> "failed";
            case CANCELLED -> "cancelled";
            case QUARANTINED -> "quarantined";
            case WAITING -> "waiting_for_human";
        };
    }

    /// What is wrong with a URL that a client names; empty if nothing is.
    public Optional<String> problem(String url) {
        return Receiver.problem(url, settings);
    }

    /// The secret with which the webhooks are signed that the jobs of a client name.
    public String secretOf(String client) {
        return secrets.ofClient(client);
    }

    /// Calls once more what was delivered or given up; the job does not remember what comes of it.
    ///
    /// @return whether there is such a call
    public boolean redeliver(Job job, EffectId call) {
        var notice =
                job.notices().past().stream()
                        .map(past -> past.notice())
                        .filter(past -> past.id().equals(call))
                        .findFirst();
        notice.ifPresent(found -> deliver(job.id(), found, _ -> {}));
        return notice.isPresent();
    }

    /// What is told of a job, the last first.
    public JsonArray of(Job job) {
        var tries =
                outbox.list(
                        parcel -> parcel.job.equals(Optional.of(job.id())), 1_000, Webhooks::shown);
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

    // Subscriptions

    /// The subscriptions, the oldest first.
    public List<Subscription> subscriptions() {
        return subscriptions.all();
    }

    /// A subscription.
    public Optional<Subscription> subscription(String id) {
        return subscriptions.find(id);
    }

    /// Makes a subscription; durable when the call returns. It is told of jobs that are submitted from now on.
    ///
    /// @param secret empty: a fresh one
    /// @return empty if there are too many
    public Optional<Subscription> subscribe(
            String url, List<String> events, List<String> blueprints, Optional<String> secret) {
        var one =
                new Subscription(
                        "wh-" + UUID.randomUUID(),
                        url,
                        events.isEmpty() ? Subscription.EVENTS : events,
                        blueprints,
                        secret.orElseGet(Secrets::fresh),
                        clock.instant().truncatedTo(ChronoUnit.MILLIS));
        return subscriptions.add(one) ? Optional.of(one) : Optional.empty();
    }

    /// Ends a subscription; what is still to be told to it is given up with the next attempt.
    ///
    /// @return whether it was there
    public boolean unsubscribe(String id) {
        return subscriptions.remove(id);
    }

    /// How many there may be.
    public int mostSubscriptions() {
        return Subscriptions.MOST;
    }

    /// The last deliveries to a subscription, the last first.
    public JsonArray deliveries(String subscription, int limit) {
        return new JsonArray(
                List.copyOf(
                        outbox.list(
                                parcel -> parcel.subscriber.equals(subscription),
                                limit,
                                Webhooks::shown)));
    }

    private static JsonObject shown(Parcel parcel) {
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

    // Workers

    /// Something has happened to a worker.
    ///
    /// @param event one of [Subscription#OF_WORKERS]
    public void worker(String event, JsonObject what) {
        for (var one : subscriptions.all()) {
            if (one.events().contains(event)) {
                var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
                var id = "msg_" + UUID.randomUUID();
                var body =
                        JsonText.write(
                                JsonObject.builder()
                                        .put("event", event)
                                        .put("event_id", id)
                                        .put("time", now.toString())
                                        .putAll(what)
                                        .build());
                outbox.put(
                        new Parcel(
                                id,
                                one.id(),
                                Optional.empty(),
                                Optional.empty(),
                                event,
                                URI.create(one.url()),
                                now,
                                () -> {
                                    if (subscriptions.find(one.id()).isEmpty()) {
                                        throw new Parcel.Gone(
                                                "subscription " + one.id() + " was removed");
                                    }
                                    return new Parcel.Sent(one.secret(), body);
                                },
                                _ -> {}));
            }
        }
    }

    // Figures

    /// How many calls wait or are made at this moment.
    public int pending() {
        return outbox.pending();
    }

    /// How many events receivers have heard.
    public long delivered() {
        return outbox.delivered();
    }

    /// How many attempts failed that are made again.
    public long failed() {
        return outbox.failed();
    }

    /// How many events were given up.
    public long givenUp() {
        return outbox.givenUp();
    }

    @Override
    public void close() {
        outbox.close();
    }
}
