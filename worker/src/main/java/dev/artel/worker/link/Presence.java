package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.HeartbeatAnswer;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.RegisterAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers the worker, reports that it lives and its status, and registers it again whenever the
/// orchestrator has forgotten it. Handlers that are busy do not stop it.
final class Presence implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Presence.class);
    private static final byte[] NOTHING = new byte[0];

    private final Channel channel;
    private final Crew crew;
    private final LinkSettings settings;
    private final Registration registration;
    private final Signal signal;
    private final Supplier<List<String>> held;
    private final Consumer<String> cancel;
    private Heartbeat.@Nullable Full told;
    private int failures;
    private long quietUntil = System.nanoTime();

    Presence(
            Channel channel,
            Crew crew,
            LinkSettings settings,
            Registration registration,
            Signal signal,
            Supplier<List<String>> held,
            Consumer<String> cancel) {
        this.channel = channel;
        this.crew = crew;
        this.settings = settings;
        this.registration = registration;
        this.signal = signal;
        this.held = held;
        this.cancel = cancel;
    }

    @Override
    public void turn() throws InterruptedException {
        if (registration.isKnown()) {
            awaitReason();
            if (registration.isKnown()) {
                beat();
            }
        } else {
            register();
        }
    }

    private void register() throws InterruptedException {
        var introduction = crew.introduction(settings.lease(), settings.websocket());
        try {
            var answer =
                    channel.register(JsonText.write(introduction.toJson()), settings.request());
            if (answer.status() < 300) {
                accept(answer);
                return;
            }
            failures++;
            LOG.atWarn()
                    .addKeyValue("orchestrator", channel)
                    .addKeyValue("answer", answer.text())
                    .log("registration refused; trying again later");
            pause(answer, settings.registrationBackoff().after(failures));
        } catch (IOException e) {
            failures++;
            LOG.atWarn()
                    .addKeyValue("orchestrator", channel)
                    .addKeyValue("cause", e.toString())
                    .log("registration failed; trying again later");
            Thread.sleep(settings.registrationBackoff().after(failures));
        }
    }

    private void accept(Answer answer) {
        RegisterAnswer terms;
        try {
            terms = RegisterAnswer.read(answer.json());
        } catch (MalformedMessage unreadable) {
            terms = new RegisterAnswer("registered", null, null);
        }
        failures = 0;
        told = null;
        if (terms.warning() != null) {
            LOG.atWarn()
                    .addKeyValue("orchestrator", channel)
                    .addKeyValue("warning", terms.warning())
                    .log("the orchestrator warns");
        }
        registration.accept(terms);
        LOG.atInfo()
                .addKeyValue("orchestrator", channel)
                .addKeyValue("dialect", registration.dialect())
                .log("registered");
    }

    /// Waits until something has changed or the silence has lasted long enough.
    private void awaitReason() throws InterruptedException {
        var deadline = System.nanoTime() + settings.heartbeat().toNanos();
        while (registration.isKnown()) {
            var now = System.nanoTime();
            if (now - quietUntil < 0) {
                Thread.sleep(Duration.ofNanos(quietUntil - now));
            } else if (now - deadline >= 0) {
                return;
            } else if (signal.await(Duration.ofNanos(deadline - now))) {
                Thread.sleep(settings.debounce());
                if (hasNews()) {
                    return;
                }
            }
        }
    }

    private boolean hasNews() {
        return told == null || !sameBut(told, crew.standing(registration.dialect()));
    }

    /// Whether all but the load is the same; the load alone is not worth a message.
    private static boolean sameBut(Heartbeat.Full told, Heartbeat.Full now) {
        return told.status() == now.status()
                && Objects.equals(told.available(), now.available())
                && told.warmth().equals(now.warmth());
    }

    private void beat() throws InterruptedException {
        var standing = crew.standing(registration.dialect());
        try {
            var answer = channel.heartbeat(body(standing), settings.request());
            quietUntil = System.nanoTime() + settings.heartbeatSpacing().toNanos();
            on(answer, standing);
        } catch (IOException e) {
            failed(e.toString());
        }
    }

    private byte[] body(Heartbeat.Full standing) {
        return switch (registration.dialect()) {
            case LEASED -> JsonText.write(standing.holding(held.get()).toJson());
            case PLAIN -> hasNews() ? JsonText.write(standing.toJson()) : NOTHING;
        };
    }

    private void on(Answer answer, Heartbeat.Full standing) throws InterruptedException {
        switch (answer.status()) {
            case 200 -> {
                failures = 0;
                told = standing;
                obey(answer);
            }
            case 401, 403, 404 -> {
                LOG.atInfo()
                        .addKeyValue("orchestrator", channel)
                        .addKeyValue("answer", answer.text())
                        .log("the orchestrator does not know this worker; registering again");
                registration.lose();
            }
            case 429 -> {
                failures++;
                var wait = settings.silence(answer, registration.dialect(), failures);
                quietUntil = System.nanoTime() + wait.toNanos();
            }
            default -> failed(answer.text());
        }
    }

    private void obey(Answer answer) {
        HeartbeatAnswer orders;
        try {
            orders =
                    answer.isEmpty()
                            ? HeartbeatAnswer.read(JsonObject.EMPTY)
                            : HeartbeatAnswer.read(answer.json());
        } catch (MalformedMessage unreadable) {
            LOG.atDebug()
                    .addKeyValue("orchestrator", channel)
                    .setCause(unreadable)
                    .log("the answer to a heartbeat cannot be read");
            return;
        }
        orders.cancelTasks().forEach(cancel);
        if (orders.requireFullSync()) {
            registration.lose();
        }
        if (orders.jitter() != null) {
            var most = Math.min(orders.jitter().toMillis(), settings.heartbeat().toMillis());
            quietUntil += Backoff.random(Duration.ofMillis(most)).toNanos();
        }
    }

    private void failed(String cause) throws InterruptedException {
        failures++;
        LOG.atWarn()
                .addKeyValue("orchestrator", channel)
                .addKeyValue("cause", cause)
                .log("heartbeat failed; trying again");
        quietUntil = System.nanoTime() + settings.backoff().after(failures).toNanos();
        signal.raise();
        told = null;
    }

    private static void pause(Answer answer, Duration otherwise) throws InterruptedException {
        var wait = answer.retryAfter();
        Thread.sleep(wait != null && wait.compareTo(otherwise) > 0 ? wait : otherwise);
    }
}
