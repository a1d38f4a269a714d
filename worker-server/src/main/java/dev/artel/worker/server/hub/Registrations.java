package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Registers workers: who it is, whether that is allowed, whether the form is valid, whether a check of the user objects,
/// in this order. Only then the pool changes.
final class Registrations {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerHub.class);
    private static final String PROTOCOL_ERROR = "Protocol error";

    private final WorkerHub hub;
    private final HubOptions options;
    private final HubRuntime runtime;

    Registrations(WorkerHub hub, HubOptions options, HubRuntime runtime) {
        this.hub = hub;
        this.options = options;
        this.runtime = runtime;
    }

    /// On the thread of the connection, without the lock: those who are asked may wait.
    ///
    /// @param room of the message, until handlers have seen what it declares
    void register(HubConnection connection, JsonObject message, MessageRoom room) {
        RegistrationForm form;
        try {
            var workerId = RegistrationForm.workerIdOf(message);
            RegistrationForm.checkToken(message);
            var credentials =
                    new Authenticator.Credentials(
                            workerId,
                            message.string("authToken").orElse(null),
                            connection.remote(),
                            connection.transport);
            if (ask("authenticator", () -> options.authenticator().authenticate(credentials))
                    instanceof AdmissionVerdict.Refused refused) {
                refuse(connection, workerId, refused);
                return;
            }
            form = RegistrationForm.read(message);
        } catch (RegistrationForm.Invalid e) {
            refuse(
                    connection,
                    message.string("workerId").orElse(PooledWorker.UNKNOWN),
                    AdmissionVerdict.refused(
                            CloseCode.PROTOCOL_ERROR,
                            PROTOCOL_ERROR,
                            "invalid registration: " + e.getMessage()));
            return;
        }
        var candidate =
                new Admission.Candidate(
                        form.workerId(),
                        form.workerName(),
                        form.capabilities(),
                        connection.remote(),
                        message,
                        hub.worker(form.workerId()).orElse(null));
        switch (ask("admission", () -> options.admission().admit(candidate))) {
            case AdmissionVerdict.Refused refused -> refuse(connection, form.workerId(), refused);
            case AdmissionVerdict.Accepted(var members) ->
                    hub.admit(connection, form, members, room);
        }
    }

    /// Sends a refused acknowledgement and closes.
    void refuse(HubConnection connection, String workerId, AdmissionVerdict verdict) {
        if (!(verdict instanceof AdmissionVerdict.Refused refused)) {
            throw new IllegalStateException("refusing a worker that is accepted");
        }
        hub.warning()
                .addKeyValue("worker", workerId)
                .addKeyValue("remote", connection.remote())
                .addKeyValue("problem", refused.error())
                .log("registration refused");
        var answer =
                JsonObject.builder()
                        .put("type", "worker_registration_ack")
                        .put("success", false)
                        .put("error", refused.error());
        if (refused.retryAfter() != null) {
            answer.put("retryAfterMs", spread(refused.retryAfter()));
        }
        hub.refuse(connection, answer.build(), refused);
    }

    /// The verdict for an id that is registered on another connection.
    AdmissionVerdict.Refused duplicate(String workerId) {
        return new AdmissionVerdict.Refused(
                CloseCode.DUPLICATE_WORKER,
                "Duplicate worker id refused",
                "worker %s is connected already: close that connection first, or use another id"
                        .formatted(workerId),
                options.times().retryAfter());
    }

    /// The verdict where there is no memory for what one more worker declares.
    AdmissionVerdict.Refused noRoom() {
        return new AdmissionVerdict.Refused(
                CloseCode.TRY_AGAIN_LATER,
                "No room for another worker",
                "what workers declare takes all the memory that there is for it: declare fewer models and less metadata, or give the"
                        + " program more memory",
                options.times().retryAfter());
    }

    /// The verdict for a second id on one connection.
    static AdmissionVerdict.Refused secondId(String present) {
        return new AdmissionVerdict.Refused(
                CloseCode.PROTOCOL_ERROR,
                PROTOCOL_ERROR,
                "this connection belongs to worker %s: register another worker on a connection of its own"
                        .formatted(present),
                null);
    }

    private AdmissionVerdict ask(String asked, Supplier<AdmissionVerdict> question) {
        try {
            return question.get();
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("asked", asked)
                    .addKeyValue("problem", String.valueOf(e.getMessage()))
                    .setCause(e)
                    .log("registration could not be checked");
            return AdmissionVerdict.refusedFor(
                    options.times().retryAfter(),
                    CloseCode.TRY_AGAIN_LATER,
                    "Try again later",
                    "the registration could not be checked: try again later");
        }
    }

    /// Anywhere from no time to twice `average`: workers that were refused together do not come back together.
    private long spread(Duration average) {
        return runtime.random().nextLong(Math.max(1, 2 * average.toMillis())) + 1;
    }
}
