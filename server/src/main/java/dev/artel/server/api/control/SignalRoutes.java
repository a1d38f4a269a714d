package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.branch.Signals;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;

/// Routes that send signals to jobs.
public final class SignalRoutes {
    /// The members of a body.
    static final List<String> FIELDS = List.of("id", "payload");

    private final Lifecycle lifecycle;
    private final VisibleJobs visible;
    private final Bodies bodies;

    /// Routes that send signals to the jobs that `visible` shows.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public SignalRoutes(Lifecycle lifecycle, VisibleJobs visible, int maxBodyBytes) {
        this.lifecycle = lifecycle;
        this.visible = visible;
        bodies = new Bodies(maxBodyBytes);
    }

    /// Sends a signal to one job.
    public void send(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var row = visible.of(request, caller);
        var signal = name(request);
        var body = bodies.object(request, FIELDS);
        var id = id(request, body);
        var payload = payload(body);
        var changed =
                Refusals.changed(
                        request, engine.signal(row.id(), signal, id, payload, caller.name()));
        Answers.json(
                request,
                202,
                JsonObject.of(
                        "status", JsonValue.of(changed ? "signal_accepted" : "signal_known")));
    }

    /// The name of the signal that the path names.
    ///
    /// @throws HttpRefusal if it cannot be one
    static String name(Context request) {
        var signal = request.pathParam("signal");
        if (!Signals.isName(signal)) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid signal name",
                    "a signal's name has 1 to 100 letters, digits, '-', '_' or '.'");
        }
        return signal;
    }

    /// The payload of the signal.
    static JsonValue payload(JsonObject body) {
        return body.get("payload").orElse(JsonNull.NULL);
    }

    /// The sender's id of the signal.
    ///
    /// @throws HttpRefusal if there is none, or two
    static String id(Context request, JsonObject body) {
        var header = Optional.ofNullable(request.header("Idempotency-Key"));
        var member = body.get("id");
        if (header.isPresent() && member.isPresent()) {
            throw invalid("it stands in the body and as Idempotency-Key; give one of them");
        }
        var id =
                member.map(value ->
                                value instanceof JsonString(var text)
                                        ? text
                                        : "") // reported below, like an empty one
                        .or(() -> header)
                        .orElseThrow(() ->
                                invalid(
                                        "it is missing; give one in the body or as"
                                                + " Idempotency-Key, so that the same signal sent"
                                                + " again changes nothing"));
        if (id.isBlank() || id.length() > Signals.LONGEST_ID) {
            throw invalid("it must be a text of 1 to " + Signals.LONGEST_ID + " characters");
        }
        return id;
    }

    private static HttpRefusal invalid(String why) {
        return new HttpRefusal(ErrorCode.INVALID_PARAMETER, "Invalid signal id", why);
    }
}
