package dev.artel.server.api.webhooks;

import dev.artel.access.Caller;
import dev.artel.config.SubscriptionSettings;
import dev.artel.config.WebhookSettings;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.Job;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.admin.KeyRoutes;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Page;
import dev.artel.webhook.Subscription;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Subscriptions to jobs and workers, and what became of their calls.
public final class WebhookRoutes {
    private static final List<String> FIELDS =
            List.of("url", "events", "blueprints", "secret", "idempotency_key");
    private static final List<String> ROTATION_FIELDS = List.of("overlap_seconds", "secret");
    private static final Duration LATER = Duration.ofSeconds(10);
    private static final int LONGEST_KEY = 200;
    private static final int MOST_DELIVERIES = 1_000;

    private final Lifecycle lifecycle;
    private final ApiAuthenticator apiAuthenticator;
    private final VisibleJobs visible;
    private final Bodies bodies;
    private final InstantSource clock;

    /// Routes for the webhooks of `lifecycle`.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public WebhookRoutes(
            Lifecycle lifecycle,
            ApiAuthenticator apiAuthenticator,
            VisibleJobs visible,
            int maxBodyBytes,
            InstantSource clock) {
        this.clock = clock;
        this.lifecycle = lifecycle;
        this.apiAuthenticator = apiAuthenticator;
        this.visible = visible;
        bodies = new Bodies(maxBodyBytes);
    }

    // Of a job

    /// Lists the calls of a job, newest first.
    public void ofJob(Context request, Caller caller) {
        Page.ofAll(
                request,
                "webhook-calls",
                lifecycle.webhooks().of(job(request, caller)).stream(),
                WebhookRoutes::newestFirst,
                call -> call);
    }

    /// By the event that is sent.
    private static String newestFirst(JsonValue shown) {
        var call = EffectId.parse(((JsonObject) shown).string("call").orElseThrow());
        return Page.key(Long.MAX_VALUE - call.event(), call.ordinal());
    }

    private Job job(Context request, Caller caller) {
        return lifecycle
                .engine()
                .find(visible.of(request, caller).id())
                .orElseThrow(VisibleJobs::notFound);
    }

    /// Makes a call of a job again that has ended.
    public void redeliver(Context request, Caller caller) {
        var job = job(request, caller);
        var call = call(request.pathParam("call"));
        if (job.webhookEvents().find(call).isPresent()) {
            throw new HttpRefusal(
                    ErrorCode.WEBHOOK_CALL_UNDER_WAY,
                    "Webhook call is under way",
                    "call " + call + " of job " + job.id() + " is still tried; wait for its end");
        }
        switch (lifecycle.webhooks().redeliver(job, call)) {
            case UNKNOWN -> throw notFound(call.toString());
            case NO_ROOM ->
                    throw HttpRefusal.later(
                            LATER, "Too many calls of webhooks wait; try again when some are over");
            case UNDER_WAY ->
                    Answers.json(
                            request,
                            202,
                            JsonObject.of("status", JsonValue.of("redelivery_accepted")));
        }
    }

    private static EffectId call(String text) {
        try {
            return EffectId.parse(text);
        } catch (IllegalArgumentException noCall) {
            throw notFound(text);
        }
    }

    private static HttpRefusal notFound(String call) {
        return new HttpRefusal(
                ErrorCode.WEBHOOK_CALL_NOT_FOUND,
                "Webhook call not found",
                "the job has no call '"
                        + (call.length() > 40 ? call.substring(0, 40) : call)
                        + "'; see its webhooks");
    }

    /// Answers with the secret that signs the calls of the caller's jobs.
    public void secret(Context request, Caller caller) {
        Answers.json(
                request,
                200,
                JsonObject.of(
                        "secret", JsonValue.of(lifecycle.webhooks().secretOf(caller.name()))));
    }

    // Subscriptions

    /// Lists the subscriptions.
    public void list(Context request) {
        apiAuthenticator.admitOperator(request);
        Page.ofAll(
                request,
                "subscriptions",
                lifecycle.webhooks().subscriptions().stream(),
                one ->
                        Page.key(one.created().map(Instant::toEpochMilli).orElse(0L))
                                + " "
                                + one.id(),
                this::shown);
    }

    /// Makes a subscription as the body describes it.
    public void subscribe(Context request) {
        var operator = apiAuthenticator.admitOperator(request);
        var body = bodies.object(request, FIELDS);
        var url = text(body, "url").orElseThrow(() -> HttpRefusal.invalidJson("url is missing"));
        refuse("url", lifecycle.webhooks().problem(url).map(why -> "is of no use: " + why));
        var events = texts(body, "events");
        refuse("events", SubscriptionSettings.problemOfEvents(events));
        var secret = secret(body);
        var blueprints = texts(body, "blueprints");
        var key = key(request, body);
        var made =
                lifecycle
                        .webhooks()
                        .subscribe(
                                url,
                                events,
                                blueprints,
                                secret,
                                key.map(text -> operator.name() + '\0' + text))
                        .orElseThrow(() ->
                                new HttpRefusal(
                                        ErrorCode.TOO_MANY_SUBSCRIPTIONS,
                                        "Too many subscriptions",
                                        "there are at most "
                                                + WebhookSettings.MOST_SUBSCRIPTIONS
                                                + "; delete one"));
        var asked = events.isEmpty() ? SubscriptionSettings.EVENTS : events;
        if (!made.url().equals(url)
                || !made.events().equals(asked)
                || !made.blueprints().equals(blueprints)) {
            throw new HttpRefusal(
                    ErrorCode.IDEMPOTENCY_KEY_REUSED,
                    "Idempotency key reused",
                    "subscription "
                            + made.id()
                            + " was made with this key, and has another url, events or blueprints;"
                            + " use another key");
        }
        Answers.json(request, 201, withSecret(made));
    }

    private static Optional<String> key(Context request, JsonObject body) {
        var key =
                text(body, "idempotency_key")
                        .or(() -> Optional.ofNullable(request.header("Idempotency-Key")));
        key.filter(text -> text.isBlank() || text.length() > LONGEST_KEY)
                .ifPresent(_ -> {
                    throw HttpRefusal.invalidJson(
                            "idempotency_key must be a text of 1 to "
                                    + LONGEST_KEY
                                    + " characters");
                });
        return key;
    }

    private static Optional<String> secret(JsonObject body) {
        var secret = text(body, "secret");
        secret.ifPresent(given -> refuse("secret", SubscriptionSettings.problemOfSecret(given)));
        return secret;
    }

    private JsonObject shown(Subscription one) {
        return one.shown(clock.instant());
    }

    private JsonObject withSecret(Subscription one) {
        return shown(one).with("secret", JsonValue.of(one.secret()));
    }

    /// Another secret; calls are signed with the former one, too, as long as the two overlap.
    public void rotate(Context request, Caller operator) {
        var body = bodies.object(request, ROTATION_FIELDS);
        var overlap = KeyRoutes.overlap(body);
        var secret = secret(body);
        var one = subscription(request);
        if (one.isConfigured()) {
            throw ofTheConfiguration(
                    one,
                    "name its new secret there, the one of before as its previous-secret, and have"
                            + " the settings read again");
        }
        try {
            var rotated = lifecycle.webhooks().rotate(one.id(), secret, overlap);
            Answers.json(
                    request, 200, withSecret(rotated.orElseThrow(WebhookRoutes::noSubscription)));
        } catch (IllegalStateException tooMany) {
            throw new HttpRefusal(
                    ErrorCode.TOO_MANY_KEYS,
                    "Too many secrets are good",
                    String.valueOf(tooMany.getMessage()));
        }
    }

    private static HttpRefusal ofTheConfiguration(Subscription one, String advice) {
        return new HttpRefusal(
                ErrorCode.SUBSCRIPTION_CONFIGURED,
                "Subscription belongs to the configuration",
                "the file of settings names webhooks.subscriptions." + one.id() + "; " + advice);
    }

    private static void refuse(String field, Optional<String> problem) {
        problem.ifPresent(why -> {
            throw HttpRefusal.invalidJson(field + " " + why);
        });
    }

    private static Optional<String> text(JsonObject body, String name) {
        return body.get(name)
                .map(value -> {
                    if (value instanceof JsonString(var text)) {
                        return text;
                    }
                    throw HttpRefusal.invalidJson(name + " must be a string, was " + value.kind());
                });
    }

    private static List<String> texts(JsonObject body, String name) {
        var given = body.get(name);
        if (given.isEmpty()) {
            return List.of();
        }
        if (!(given.get() instanceof JsonArray array)
                || array.size() > 100
                || !array.stream().allMatch(JsonString.class::isInstance)) {
            throw HttpRefusal.invalidJson(name + " must be a list of at most 100 strings");
        }
        return array.stream().map(each -> ((JsonString) each).value()).toList();
    }

    /// Answers with one subscription.
    public void find(Context request) {
        apiAuthenticator.admitOperator(request);
        Answers.json(request, 200, shown(subscription(request)));
    }

    private Subscription subscription(Context request) {
        return lifecycle
                .webhooks()
                .subscription(request.pathParam("id"))
                .orElseThrow(WebhookRoutes::noSubscription);
    }

    private static HttpRefusal noSubscription() {
        return new HttpRefusal(ErrorCode.SUBSCRIPTION_NOT_FOUND, "Subscription not found");
    }

    /// Deletes a subscription that the settings do not have.
    public void unsubscribe(Context request) {
        apiAuthenticator.admitOperator(request);
        var one = subscription(request);
        if (one.isConfigured()) {
            throw ofTheConfiguration(one, "take it out there and have the settings read again");
        }
        if (!lifecycle.webhooks().unsubscribe(one.id())) {
            throw noSubscription();
        }
        Answers.json(request, 200, JsonObject.of("status", JsonValue.of("deleted")));
    }

    /// Lists the last deliveries of a subscription.
    public void deliveries(Context request) {
        apiAuthenticator.admitOperator(request);
        var one = subscription(request);
        Page.ofAll(
                request,
                "deliveries",
                lifecycle.webhooks().deliveries(one.id(), MOST_DELIVERIES).stream(),
                WebhookRoutes::lastFirst,
                delivery -> delivery);
    }

    private static String lastFirst(JsonValue shown) {
        var delivery = (JsonObject) shown;
        var at = Instant.parse(delivery.string("at").orElseThrow());
        return Page.key(Long.MAX_VALUE - at.toEpochMilli())
                + " "
                + delivery.string("event_id").orElseThrow();
    }
}
