package dev.artel.webhook;

import dev.artel.approval.ApprovalLinks;
import dev.artel.config.Secret;
import dev.artel.config.SigningSecret;
import dev.artel.config.SubscriptionSettings;
import dev.artel.config.WebhookSettings;
import dev.artel.config.WebhookUrl;
import dev.artel.engine.shell.SigningKeys;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.engine.Notifier;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.webhook.Webhook;
import dev.artel.kernel.webhook.WebhookEvent;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Calls the webhooks of jobs and of subscriptions. Safe for use by many threads.
///
/// Calls about jobs are as durable as the jobs, and sent at least once; calls about workers are sent as long as this
/// process lives.
public final class Webhooks implements Notifier, AutoCloseable {
    private volatile WebhookSettings settings;
    private final Subscriptions subscriptions;
    private final Secrets secrets;
    private final WebhookBody content;
    private final Outbox outbox;
    private final InstantSource clock;

    /// @param store keeps subscriptions and the key of secrets
    /// @param jobs finds a job
    /// @param values resolves what is kept elsewhere
    /// @param links for approvals
    /// @throws Unusable if the settings cannot be used as they are
    public Webhooks(
            WebhookSettings settings,
            KeyValueStore store,
            Function<JobId, Optional<Job>> jobs,
            Function<Payload, JsonValue> values,
            ApprovalLinks links,
            InstantSource clock) {
        check(settings);
        this.settings = settings;
        this.clock = clock;
        subscriptions = new Subscriptions(store, settings.subscriptions());
        secrets = new Secrets(store);
        content =
                new WebhookBody(
                        () -> this.settings.limits().maxBodyBytes(),
                        subscriptions,
                        secrets,
                        clock,
                        jobs,
                        values,
                        links);
        outbox = new Outbox(settings, post(settings), clock);
    }

    private GuardedHttpClient post(WebhookSettings settings) {
        return new GuardedHttpClient(
                settings, clock, WebhookTls.with(settings.trusted()), InetAddress::getAllByName);
    }

    /// Has `other` hold from now on; calls that are being made end under those before. Who is subscribed to jobs that
    /// were submitted before stays so as long as the subscription is there.
    ///
    /// @throws Unusable if they cannot be used; those before hold on
    public synchronized void use(WebhookSettings other) {
        check(other);
        var post = post(other);
        try {
            subscriptions.name(other.subscriptions());
        } catch (Unusable refused) {
            post.close();
            throw refused;
        }
        settings = other;
        outbox.use(other, post);
    }

    /// Looks whether `settings` can be used, without using them.
    ///
    /// @throws Unusable if they cannot
    public static void check(WebhookSettings settings) {
        var problems = settings.problems();
        if (!problems.isEmpty()) {
            throw new Unusable(
                    problems.stream()
                            .map(WebhookSettings.Problem::toString)
                            .collect(Collectors.joining("; ")));
        }
        var _ = WebhookTls.with(settings.trusted());
    }

    // Jobs

    @Override
    public List<Webhook> subscribers(String blueprint) {
        return subscriptions.all().stream()
                .filter(one -> !one.eventTypes(blueprint).isEmpty())
                .map(one -> Webhook.subscription(one.id(), one.eventTypes(blueprint)))
                .toList();
    }

    @Override
    public void deliver(
            JobId job, String client, WebhookEvent webhookEvent, Consumer<Reply> onReply) {
        var url = url(webhookEvent);
        if (url.isEmpty()) {
            onReply.accept(new End(0, Optional.of(WebhookBody.isGone(webhookEvent))));
        } else if (!outbox.put(parcel(job, client, webhookEvent, url.get(), onReply))) {
            onReply.accept(new NoRoom());
        }
    }

    @Override
    public boolean hasRoom(String client, WebhookEvent webhookEvent) {
        return url(webhookEvent)
                .map(url ->
                        outbox.hasRoom(
                                WebhookDelivery.place(
                                        owner(client, webhookEvent.to()), URI.create(url))))
                .orElse(true);
    }

    /// Whose turn it is when `to` is called: what an operator subscribes to takes nothing from the clients.
    private static String owner(String client, Webhook to) {
        return to.url().isPresent() ? "client " + client : ownerOf(to.subscriber());
    }

    private static String ownerOf(String subscription) {
        return "subscription " + subscription;
    }

    private WebhookDelivery parcel(
            JobId job,
            String client,
            WebhookEvent webhookEvent,
            String url,
            Consumer<Reply> onReply) {
        return new WebhookDelivery(
                WebhookBody.id(job, webhookEvent.id()),
                webhookEvent.to().subscriber(),
                Optional.of(job),
                Optional.of(webhookEvent.id()),
                webhookEvent.webhookEventType().text(),
                URI.create(url),
                owner(client, webhookEvent.to()),
                webhookEvent.at(),
                () -> content.of(job, webhookEvent),
                onReply);
    }

    private Optional<String> url(WebhookEvent webhookEvent) {
        return webhookEvent
                .to()
                .url()
                .or(() ->
                        subscriptions.find(webhookEvent.to().subscriber()).map(Subscription::url));
    }

    @Override
    public boolean holds(JobId job, EffectId call) {
        return outbox.holds(WebhookBody.id(job, call));
    }

    /// What is wrong with a URL that a client names; empty if nothing is.
    public Optional<String> problem(String url) {
        return WebhookUrl.problem(url, settings);
    }

    /// The secret with which the webhooks are signed that the jobs of a client name.
    public String secretOf(String client) {
        return secrets.ofClient(client);
    }

    /// The keys from which the secrets of clients are derived.
    public SigningKeys keys() {
        return secrets.keys();
    }

    /// What became of the wish to call once more.
    public enum Redelivery {
        /// It is under way.
        UNDER_WAY,
        /// There is no such call.
        UNKNOWN,
        /// There is no room for it now.
        NO_ROOM,
    }

    /// Calls once more what was delivered or given up; the job does not remember what comes of it.
    public Redelivery redeliver(Job job, EffectId call) {
        var webhookEvent =
                job.webhookEvents().past().stream()
                        .map(past -> past.webhookEvent())
                        .filter(past -> past.id().equals(call))
                        .findFirst();
        if (webhookEvent.isEmpty()) {
            return Redelivery.UNKNOWN;
        }
        var client = job.spec().client();
        if (!hasRoom(client, webhookEvent.get())) {
            return Redelivery.NO_ROOM;
        }
        deliver(job.id(), client, webhookEvent.get(), _ -> {});
        return Redelivery.UNDER_WAY;
    }

    /// The calls about a job, the last first.
    public JsonArray of(Job job) {
        return CallDocument.of(job, outbox);
    }

    /// The pending calls of a job, in the order of their events.
    public List<WaitingCall> waiting(Job job) {
        var known =
                outbox
                        .list(
                                webhookDelivery ->
                                        webhookDelivery.job.equals(Optional.of(job.id())),
                                Integer.MAX_VALUE,
                                WaitingCall.Tries::of)
                        .stream()
                        .collect(
                                Collectors.toMap(
                                        WaitingCall.Tries::call,
                                        each -> each,
                                        (latest, _) -> latest));
        return job.webhookEvents().pending().stream()
                .map(webhookEvent ->
                        new WaitingCall(
                                webhookEvent,
                                url(webhookEvent).map(url -> URI.create(url).getHost()),
                                Optional.ofNullable(known.get(webhookEvent.id())),
                                webhookEvent.at().plus(settings.retries().longest())))
                .toList();
    }

    // Subscriptions

    /// The subscriptions: those of the settings, then those of the API.
    public List<Subscription> subscriptions() {
        return subscriptions.all();
    }

    /// A subscription.
    public Optional<Subscription> subscription(String id) {
        return subscriptions.find(id);
    }

    /// Makes a subscription; durable when the call returns. It receives calls about jobs that are submitted from now
    /// on.
    ///
    /// @param secret empty: a fresh one
    /// @param key where the same was given before, nothing is made
    /// @return the one that this call, or one with the same key before, has made; empty if there are too many
    public Optional<Subscription> subscribe(
            String url,
            List<String> events,
            List<String> blueprints,
            Optional<String> secret,
            Optional<String> key) {
        var id =
                key.map(text -> UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)))
                        .orElseGet(UUID::randomUUID);
        var one =
                new Subscription(
                        "wh-" + id,
                        url,
                        events.isEmpty() ? SubscriptionSettings.EVENTS : events,
                        blueprints,
                        List.of(
                                SigningSecret.unlimited(
                                        new Secret(secret.orElseGet(Secrets::fresh)))),
                        Optional.of(clock.instant().truncatedTo(ChronoUnit.MILLIS)));
        return subscriptions.addOrFind(one);
    }

    /// Has calls to a subscription that the API has made signed with another secret from now on, and with the former one
    /// for `overlap` more; durable when the call returns. Calls that wait are signed so, too.
    ///
    /// @param secret empty: a fresh one
    /// @return how it is now; empty if it is not there
    /// @throws IllegalStateException if too many secrets are good
    public Optional<Subscription> rotate(String id, Optional<String> secret, Duration overlap) {
        var now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        return subscriptions.change(
                id,
                one -> {
                    var other =
                            one.withSecret(
                                    secret.orElseGet(Secrets::fresh), now, now.plus(overlap));
                    if (other.secrets().size() > Subscription.MOST_SECRETS) {
                        throw new IllegalStateException(
                                "subscription "
                                        + id
                                        + " has "
                                        + (other.secrets().size() - 1)
                                        + " secrets that are still good; wait until one has"
                                        + " expired, or rotate with no overlap");
                    }
                    return other;
                });
    }

    /// Ends a subscription that the API has made; calls to it that are pending are given up with the next attempt.
    ///
    /// @return whether it was there
    public boolean unsubscribe(String id) {
        return subscriptions.remove(id);
    }

    /// The last deliveries to a subscription, the last first.
    public JsonArray deliveries(String subscription, int limit) {
        return new JsonArray(
                List.copyOf(
                        outbox.list(
                                webhookDelivery -> webhookDelivery.subscriber.equals(subscription),
                                limit,
                                CallDocument::shown)));
    }

    // Workers

    /// Something has happened to a worker.
    ///
    /// @param event one of [SubscriptionSettings#OF_WORKERS]
    public void worker(String event, JsonObject what) {
        subscriptions.all().stream()
                .filter(one -> one.events().contains(event))
                .forEach(one -> send(one, event, what));
    }

    private void send(Subscription to, String event, JsonObject what) {
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
        var webhookDelivery =
                new WebhookDelivery(
                        id,
                        to.id(),
                        Optional.empty(),
                        Optional.empty(),
                        event,
                        URI.create(to.url()),
                        ownerOf(to.id()),
                        now,
                        () -> {
                            var known =
                                    subscriptions
                                            .find(to.id())
                                            .orElseThrow(() ->
                                                    new WebhookDelivery.Gone(
                                                            "subscription "
                                                                    + to.id()
                                                                    + " was removed"));
                            return new WebhookDelivery.Sent(
                                    URI.create(known.url()), known.signing(clock.instant()), body);
                        },
                        _ -> {});
        if (!outbox.put(webhookDelivery)) {
            outbox.giveUp(webhookDelivery);
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

    /// How often there was no room for a call, so that it is made later.
    public long noRoom() {
        return outbox.noRoom();
    }

    @Override
    public void close() {
        outbox.close();
    }
}
