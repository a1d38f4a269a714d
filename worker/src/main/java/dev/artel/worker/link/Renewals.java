package dev.artel.worker.link;

import dev.artel.json.text.JsonText;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Progress;
import dev.artel.protocol.Renew;
import dev.artel.protocol.RenewAnswer;
import dev.artel.worker.wire.OrchestratorResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Renews the leases of all tasks whose results are not confirmed, three times a term, and takes the latest
/// progress along where there is no socket.
final class Renewals implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Renewals.class);
    private static final int TIMES_PER_TERM = 3;
    private static final int MOST_LEASES = 500;
    private static final Duration PROGRESS_SPACING = Duration.ofSeconds(1);

    private final OrchestratorConnection orchestratorConnection;
    private final OrchestratorClient orchestratorClient;
    private final ConnectionCallbacks connectionCallbacks;
    private final LinkSettings settings;
    private final RegistrationState registration;
    private final Supplier<List<String>> held;
    private final ConcurrentHashMap<String, Progress> latest = new ConcurrentHashMap<>();
    private final Wakeup wakeup = new Wakeup();
    private long lastSent = System.nanoTime();
    private int failures;

    Renewals(
            OrchestratorConnection orchestratorConnection,
            OrchestratorClient orchestratorClient,
            ConnectionCallbacks connectionCallbacks,
            LinkSettings settings,
            RegistrationState registration,
            Supplier<List<String>> held) {
        this.orchestratorConnection = orchestratorConnection;
        this.orchestratorClient = orchestratorClient;
        this.connectionCallbacks = connectionCallbacks;
        this.settings = settings;
        this.registration = registration;
        this.held = held;
    }

    /// Records progress to be sent soon; a later one for the same task replaces it.
    void note(Progress progress) {
        latest.put(progress.lease(), progress);
        wakeup.raise();
    }

    /// There is a lease shorter than before.
    void hurry() {
        wakeup.raise();
    }

    @Override
    public void turn() throws InterruptedException {
        registration.awaitFirst();
        if (registration.protocolVersion() == ProtocolVersion.PLAIN) {
            latest.clear();
            wakeup.await(settings.heartbeat());
            return;
        }
        var period = failures == 0 ? period() : settings.backoff().after(failures);
        var left = lastSent + period.toNanos() - System.nanoTime();
        if (left > 0 && wakeup.await(Duration.ofNanos(left)) && !isProgressDue()) {
            return;
        }
        renew();
    }

    private Duration period() {
        return registration.lease().dividedBy(TIMES_PER_TERM);
    }

    /// Whether there is progress to send, after waiting for more of it.
    private boolean isProgressDue() throws InterruptedException {
        if (latest.isEmpty()) {
            return false;
        }
        var spacing = PROGRESS_SPACING.compareTo(period()) < 0 ? PROGRESS_SPACING : period();
        var left = lastSent + spacing.toNanos() - System.nanoTime();
        if (left > 0) {
            Thread.sleep(Duration.ofNanos(left));
        }
        return true;
    }

    private void renew() throws InterruptedException {
        var leases = held.get();
        var progress = new ArrayList<>(latest.values());
        progress.forEach(report -> latest.remove(report.lease(), report));
        lastSent = System.nanoTime();
        if (leases.isEmpty() || !registration.isKnown()) {
            failures = 0;
            return;
        }
        for (var from = 0; from < leases.size(); from += MOST_LEASES) {
            var some = leases.subList(from, Math.min(leases.size(), from + MOST_LEASES));
            send(
                    new Renew(
                            orchestratorConnection.workerId(),
                            some,
                            from == 0 ? progress : List.of()));
        }
    }

    private void send(Renew renew) throws InterruptedException {
        try {
            var orchestratorResponse =
                    orchestratorClient.renew(JsonText.write(renew.toJson()), settings.request());
            on(orchestratorResponse);
        } catch (IOException e) {
            failed(e.toString());
        } catch (MalformedMessage unreadable) {
            failed(unreadable.getMessage());
        }
    }

    private void on(OrchestratorResponse orchestratorResponse) throws InterruptedException {
        switch (orchestratorResponse.status()) {
            case 200 -> {
                failures = 0;
                var answer = RenewAnswer.read(orchestratorResponse.json());
                answer.lost()
                        .forEach(lost ->
                                connectionCallbacks.forget(
                                        orchestratorConnection,
                                        lost.leaseToken(),
                                        answer.why(lost)));
                answer.cancel()
                        .forEach(id -> connectionCallbacks.cancel(orchestratorConnection, id));
            }
            case 401, 403, 404 -> registration.lose();
            case 429 -> {
                failures++;
                Thread.sleep(
                        settings.silence(
                                orchestratorResponse, registration.protocolVersion(), failures));
            }
            default -> failed(orchestratorResponse.text());
        }
    }

    private void failed(@Nullable String cause) {
        failures++;
        LOG.atWarn()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("cause", cause)
                .log("leases not renewed; trying again");
    }
}
