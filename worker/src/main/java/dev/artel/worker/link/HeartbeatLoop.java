package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.Heartbeat;
import dev.artel.protocol.HeartbeatAnswer;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.RegisterAnswer;
import dev.artel.worker.wire.OrchestratorResponse;
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
final class HeartbeatLoop implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatLoop.class);
    private static final byte[] NOTHING = new byte[0];

    /// After this time a refusal that has not changed is reported again.
    private static final Duration REPORT_AGAIN = Duration.ofMinutes(5);

    private final OrchestratorClient orchestratorClient;
    private final ConnectionCallbacks connectionCallbacks;
    private final LinkSettings settings;
    private final RegistrationState registration;
    private final Wakeup wakeup;
    private final Supplier<List<String>> held;
    private final OrchestratorClient.Introduction introduction;
    private final Consumer<String> cancel;
    private Heartbeat.@Nullable Full lastSent;
    private int failures;
    private String warned = "";
    private long warnedAt;
    private String reported = "";
    private long reportedAt;
    private long quietUntil = System.nanoTime();

    HeartbeatLoop(
            OrchestratorClient orchestratorClient,
            ConnectionCallbacks connectionCallbacks,
            LinkSettings settings,
            RegistrationState registration,
            Wakeup wakeup,
            Supplier<List<String>> held,
            OrchestratorClient.Introduction introduction,
            Consumer<String> cancel) {
        this.orchestratorClient = orchestratorClient;
        this.connectionCallbacks = connectionCallbacks;
        this.settings = settings;
        this.registration = registration;
        this.wakeup = wakeup;
        this.held = held;
        this.introduction = introduction;
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
        try {
            var orchestratorResponse =
                    orchestratorClient.register(introduction, settings.request());
            if (orchestratorResponse.status() < 300) {
                accept(orchestratorResponse);
                return;
            }
            failures++;
            report(orchestratorResponse);
            pause(orchestratorResponse, settings.registrationBackoff().after(failures));
        } catch (IOException e) {
            failures++;
            LOG.atWarn()
                    .addKeyValue("orchestrator", orchestratorClient)
                    .addKeyValue("cause", e.toString())
                    .log("registration failed; trying again later");
            Thread.sleep(backoff().after(failures));
        }
    }

    /// Reports a refusal once, and again when it changes or lasts.
    private void report(OrchestratorResponse refusal) {
        var reason = reason(refusal);
        var now = System.nanoTime();
        if (reason.equals(reported) && now - reportedAt < REPORT_AGAIN.toNanos()) {
            return;
        }
        reported = reason;
        reportedAt = now;
        LOG.atWarn()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("worker", orchestratorClient.workerId())
                .addKeyValue("reason", reason)
                .log(
                        refusal.status() == 401
                                ? "the orchestrator refuses the token of this worker: set WORKER_TOKEN to one that is valid there (./artel token show worker);"
                                        + " trying again until it is"
                                : "registration refused; trying again later");
    }

    /// What a person reads of a refusal.
    private static String reason(OrchestratorResponse refusal) {
        try {
            if (refusal.json() instanceof JsonObject body && body.string("error").isPresent()) {
                return refusal.status()
                        + " "
                        + body.string("error").get()
                        + body.string("detail").map(detail -> " (" + detail + ")").orElse("");
            }
        } catch (MalformedMessage _) {
            // shown as it came
        }
        return refusal.text();
    }

    /// An orchestrator that was there may have tasks of this worker: their leases do not last for long.
    private Backoff backoff() {
        return registration.wasKnown() && orchestratorClient.reconnects()
                ? settings.backoff()
                : settings.registrationBackoff();
    }

    private void accept(OrchestratorResponse orchestratorResponse) {
        RegisterAnswer terms;
        try {
            terms = RegisterAnswer.read(orchestratorResponse.json());
        } catch (MalformedMessage unreadable) {
            terms = new RegisterAnswer("registered", null, null);
        }
        failures = 0;
        reported = "";
        lastSent = null;
        warn(terms.warning());
        registration.accept(terms);
        if (orchestratorClient.hasEnded()) {
            registration.lose();
        }
        LOG.atInfo()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("wire", orchestratorClient.wireName())
                .addKeyValue("protocol_version", registration.protocolVersion())
                .log("registered");
    }

    /// Reports a warning once, and again when it changes or lasts.
    private void warn(@Nullable String warning) {
        var now = System.nanoTime();
        if (warning == null
                || (warning.equals(warned) && now - warnedAt < REPORT_AGAIN.toNanos())) {
            return;
        }
        warned = warning;
        warnedAt = now;
        LOG.atWarn()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("worker", orchestratorClient.workerId())
                .addKeyValue("warning", warning)
                .log("the orchestrator warns");
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
            } else if (wakeup.await(Duration.ofNanos(deadline - now))) {
                Thread.sleep(settings.debounce());
                if (hasChanged()) {
                    return;
                }
            }
        }
    }

    private boolean hasChanged() {
        return lastSent == null
                || !sameBut(
                        lastSent, connectionCallbacks.heartbeat(registration.protocolVersion()));
    }

    /// Whether all but the load is the same; the load alone is not worth a message.
    private static boolean sameBut(Heartbeat.Full lastSent, Heartbeat.Full now) {
        return lastSent.status() == now.status()
                && Objects.equals(lastSent.available(), now.available())
                && lastSent.hotState().equals(now.hotState());
    }

    private void beat() throws InterruptedException {
        var heartbeat = connectionCallbacks.heartbeat(registration.protocolVersion());
        try {
            var orchestratorResponse =
                    orchestratorClient.heartbeat(body(heartbeat), settings.request());
            quietUntil = System.nanoTime() + settings.heartbeatSpacing().toNanos();
            on(orchestratorResponse, heartbeat);
        } catch (IOException e) {
            failed(e.toString());
        }
    }

    private byte[] body(Heartbeat.Full heartbeat) {
        return switch (registration.protocolVersion()) {
            case LEASED -> JsonText.write(heartbeat.holding(held.get()).toJson());
            case PLAIN -> hasChanged() ? JsonText.write(heartbeat.toJson()) : NOTHING;
        };
    }

    private void on(OrchestratorResponse orchestratorResponse, Heartbeat.Full heartbeat)
            throws InterruptedException {
        switch (orchestratorResponse.status()) {
            case 200 -> {
                failures = 0;
                lastSent = heartbeat;
                obey(orchestratorResponse);
            }
            case 401, 403, 404 -> {
                LOG.atInfo()
                        .addKeyValue("orchestrator", orchestratorClient)
                        .addKeyValue("answer", orchestratorResponse.text())
                        .log("the orchestrator does not know this worker; registering again");
                registration.lose();
            }
            case 429 -> {
                failures++;
                var wait =
                        settings.silence(
                                orchestratorResponse, registration.protocolVersion(), failures);
                quietUntil = System.nanoTime() + wait.toNanos();
            }
            default -> failed(orchestratorResponse.text());
        }
    }

    private void obey(OrchestratorResponse orchestratorResponse) {
        HeartbeatAnswer orders;
        try {
            orders =
                    orchestratorResponse.isEmpty()
                            ? HeartbeatAnswer.read(JsonObject.EMPTY)
                            : HeartbeatAnswer.read(orchestratorResponse.json());
        } catch (MalformedMessage unreadable) {
            LOG.atDebug()
                    .addKeyValue("orchestrator", orchestratorClient)
                    .setCause(unreadable)
                    .log("the answer to a heartbeat cannot be read");
            return;
        }
        orders.cancelTasks().forEach(cancel);
        warn(orders.warning());
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
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("cause", cause)
                .log("heartbeat failed; trying again");
        quietUntil = System.nanoTime() + settings.backoff().after(failures).toNanos();
        wakeup.raise();
        lastSent = null;
    }

    private static void pause(OrchestratorResponse orchestratorResponse, Duration otherwise)
            throws InterruptedException {
        var wait = orchestratorResponse.retryAfter();
        Thread.sleep(wait != null && wait.compareTo(otherwise) > 0 ? wait : otherwise);
    }
}
