package dev.artel.gateway.websocket;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.MalformedMessage;
import dev.artel.worker.server.hub.Admission;
import dev.artel.worker.server.hub.AdmissionVerdict;
import dev.artel.worker.server.hub.Authenticator;
import dev.artel.worker.server.hub.CloseCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Decides which connection may register which worker: the same tokens, identities and rates as on the other wires.
final class SocketAdmission implements Authenticator, Admission {
    private static final Duration TOO_MANY_RETRY = Duration.ofSeconds(10);

    private final WorkerAuthentication authentication;
    private final WorkerLimits limits;
    private final JsonObject acknowledgement;

    /// @param acknowledgement what a worker that is let in receives beside what every hub sends
    SocketAdmission(
            WorkerAuthentication authentication, WorkerLimits limits, JsonObject acknowledgement) {
        this.authentication = authentication;
        this.limits = limits;
        this.acknowledgement = acknowledgement;
    }

    @Override
    public AdmissionVerdict authenticate(Credentials credentials) {
        var connection =
                credentials.connection() instanceof UpgradedConnection upgraded ? upgraded : null;
        var atUpgrade = connection == null ? null : connection.atUpgrade();
        var token = credentials.token() == null ? atUpgrade : credentials.token();
        if (token == null || token.isBlank()) {
            return AdmissionVerdict.unauthenticated();
        }
        if (atUpgrade != null && !Authenticator.sameSecret(atUpgrade, token)) {
            return refused("Tokens disagree: authToken is not the token of the upgrade; send one");
        }
        var claimed = new WorkerId(credentials.workerId());
        return switch (authentication.check(token, claimed)) {
            case WorkerAuthentication.Decision.Named(var owner) when !owner.equals(claimed) ->
                    refused(
                            "Forbidden: authenticated worker '"
                                    + owner
                                    + "' cannot register as another worker '"
                                    + claimed
                                    + "'");
            case WorkerAuthentication.Decision.Named(var owner) ->
                    connected(connection, token, owner);
            case WorkerAuthentication.Decision.Unnamed _ -> connected(connection, token, null);
            case WorkerAuthentication.Decision.Refused(var error) ->
                    limits.refused(address(credentials.remoteAddress()), error)
                            .map(wait ->
                                    AdmissionVerdict.refusedFor(
                                            wait,
                                            CloseCode.TRY_AGAIN_LATER,
                                            "Try again later",
                                            "too many tokens from this address were refused"))
                            .orElseGet(AdmissionVerdict::unauthenticated);
        };
    }

    /// Without the port, which differs for each connection.
    private static String address(String remote) {
        var port = remote.lastIndexOf(':');
        return port < 0 ? remote : remote.substring(0, port);
    }

    /// @param owner whose token it is; null: that of all
    private AdmissionVerdict connected(
            @Nullable UpgradedConnection connection, String token, @Nullable WorkerId owner) {
        return connection == null
                        || connection.shows(
                                token,
                                limits.connections().holder(token, owner),
                                () -> limits.connections().take(token, owner))
                ? AdmissionVerdict.accepted()
                : AdmissionVerdict.refusedFor(
                        TOO_MANY_RETRY,
                        CloseCode.TOO_MANY_CONNECTIONS,
                        "Too many connections",
                        TokenConnections.refusal(owner));
    }

    private static AdmissionVerdict refused(String error) {
        return AdmissionVerdict.refused(
                CloseCode.AUTHENTICATION_FAILED, "Authentication failed", error);
    }

    @Override
    public AdmissionVerdict admit(Candidate candidate) {
        SocketRegistration registration;
        try {
            registration =
                    SocketRegistration.read(
                            candidate.workerId(),
                            candidate.workerName(),
                            candidate.capabilities(),
                            "");
        } catch (MalformedMessage malformed) {
            return AdmissionVerdict.refused(
                    CloseCode.PROTOCOL_ERROR,
                    "Protocol error",
                    "invalid registration: " + malformed.getMessage());
        }
        var wait =
                limits.take(new WorkerId(candidate.workerId()), WorkerLimits.Kind.OTHER)
                        .orElse(null);
        if (wait != null) {
            return AdmissionVerdict.refusedFor(
                    wait, CloseCode.TRY_AGAIN_LATER, "Try again later", "Too Many Requests");
        }
        return AdmissionVerdict.accepted(
                acknowledgement.with("delivery", new JsonString(registration.delivery().word())));
    }

    /// Whether `token` still lets its sender be `worker`.
    boolean isGood(@Nullable String token, WorkerId worker) {
        return token != null
                && switch (authentication.check(token, worker)) {
                    case WorkerAuthentication.Decision.Named(var owner) -> owner.equals(worker);
                    case WorkerAuthentication.Decision.Unnamed _ -> true;
                    case WorkerAuthentication.Decision.Refused _ -> false;
                };
    }
}
