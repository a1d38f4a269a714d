package dev.artel.gateway.http;

import static dev.artel.gateway.access.WorkerLimits.Kind.OTHER;

import dev.artel.gateway.access.TokenConnections;
import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.WorkerId;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads requests: who sends them, and what.
final class Requests {
    /// Bodies up to this size get their memory before they are there.
    private static final int SMALL = 16 << 10;

    /// How much of a body that is too large is read to its end.
    private static final long MOST_DROPPED = 64L << 20;

    static final String TOKEN = "X-Worker-Token";

    /// Under this name a request carries who sent it, for logs.
    static final String WORKER = "artel.caller";

    private final WorkerAuthentication authentication;
    private final WorkerLimits limits;

    Requests(WorkerAuthentication authentication, WorkerLimits limits) {
        this.authentication = authentication;
        this.limits = limits;
    }

    /// The worker that the path names, if the token lets the sender be it and it may ask already.
    ///
    /// @throws HttpRefusal if not
    WorkerId workerOfPath(Context ctx, WorkerLimits.Kind kind) {
        return within(workerOfPath(ctx), kind);
    }

    /// The worker `name`, if the token lets the sender be it; null if that takes a closer look.
    @Nullable WorkerId sure(String token, String name) {
        var claimed = worker(name);
        return switch (authentication.check(token, claimed)) {
            case WorkerAuthentication.Decision.Named(var worker) ->
                    worker.equals(claimed) ? claimed : null;
            case WorkerAuthentication.Decision.Unnamed _ -> claimed;
            case WorkerAuthentication.Decision.Refused _ -> null;
        };
    }

    /// Whether `token` lets its sender be `worker`; null: any worker.
    boolean isGood(String token, @Nullable WorkerId worker) {
        return !(authentication.check(token, worker)
                instanceof WorkerAuthentication.Decision.Refused);
    }

    /// Whether `token` lets its sender be `worker`, of whom it is not known that it sends anything: it has shown no wrong token.
    boolean mayBe(String token, WorkerId worker) {
        return !(authentication.judge(token, worker)
                instanceof WorkerAuthentication.Decision.Refused);
    }

    /// A place among the connections that stay open under `token`; empty: there is none.
    ///
    /// @param claimed whose connection it is; null: that is not known
    Optional<TokenConnections.Place> connection(String token, @Nullable WorkerId claimed) {
        var owner =
                authentication.check(token, claimed)
                                instanceof WorkerAuthentication.Decision.Named(var worker)
                        ? worker
                        : null;
        return limits.connections().take(token, owner);
    }

    /// Counts a request of `worker`.
    ///
    /// @return how long it is to wait, and the request is not counted; empty if it may go on
    Optional<Duration> take(WorkerId worker, WorkerLimits.Kind kind) {
        return limits.take(worker, kind);
    }

    /// Whether `worker` may ask already; nothing is counted if not.
    boolean takes(WorkerId worker, WorkerLimits.Kind kind) {
        return limits.take(worker, kind).isEmpty();
    }

    /// How long `worker` is to wait before it sends `bytes`, which are not counted then; empty: it may.
    Optional<Duration> limitOfBytes(WorkerId worker, long bytes) {
        return limits.takeBytes(worker, bytes);
    }

    /// A request of `worker` has done some good.
    void giveBack(WorkerId worker, WorkerLimits.Kind kind) {
        limits.giveBack(worker, kind);
    }

    private WorkerId within(WorkerId worker, WorkerLimits.Kind kind) {
        limits.take(worker, kind)
                .ifPresent(after -> {
                    throw HttpRefusal.later(
                            ErrorCode.RATE_LIMITED, after, "Too Many Requests", null);
                });
        return worker;
    }

    /// The worker that the path names, if the token lets the sender be it.
    ///
    /// @throws HttpRefusal if it does not
    WorkerId workerOfPath(Context ctx) {
        var token = token(ctx);
        var named = ctx.pathParam("worker_id");
        var claimed = worker(named);
        var sender = sender(ctx, token, claimed);
        if (claimed == null) {
            throw noSuchName();
        }
        if (sender != null && !sender.equals(claimed)) {
            throw foreign(sender, "act for", named);
        }
        ctx.attribute(WORKER, claimed.value());
        return claimed;
    }

    /// A message whose body names the sender.
    record AuthenticatedMessage(WorkerId sender, JsonValue body) {}

    /// The message of the worker that the body names, or else of the one whose token it is.
    ///
    /// @param most how many bytes it may have
    /// @param act what the sender does, should it be no business of its own
    /// @throws HttpRefusal if the token is of no use or that of another worker, or the body cannot be read
    AuthenticatedMessage authenticated(Context ctx, int most, String act) {
        var token = token(ctx);
        var _ = sender(ctx, token, null); // nothing of a stranger is read
        var bytes = read(ctx, most);
        return authenticated(ctx, token, parse(bytes), bytes, act);
    }

    /// The same for a body that is read already.
    ///
    /// @param body null if it cannot be read
    AuthenticatedMessage authenticated(
            Context ctx, @Nullable JsonValue body, byte[] bytes, String act) {
        return authenticated(ctx, token(ctx), body, bytes, act);
    }

    /// The same for what is known of a body that cannot be read.
    AuthenticatedMessage authenticated(Context ctx, JsonValue body, String act) {
        return authenticated(ctx, token(ctx), body, new byte[0], act);
    }

    private AuthenticatedMessage authenticated(
            Context ctx, String token, @Nullable JsonValue body, byte[] bytes, String act) {
        var named = named(body);
        var claimed = named == null ? null : worker(named);
        var sender = sender(ctx, token, claimed);
        if (body == null) {
            throw unreadable(bytes);
        }
        if (claimed == null && named != null) {
            throw noSuchName();
        }
        if (sender == null) {
            return authenticated(ctx, required(claimed, body), body);
        }
        if (claimed != null && !sender.equals(claimed)) {
            throw foreign(sender, act, claimed.value());
        }
        return authenticated(ctx, sender, body);
    }

    private AuthenticatedMessage authenticated(Context ctx, WorkerId sender, JsonValue body) {
        ctx.attribute(WORKER, sender.value());
        return new AuthenticatedMessage(within(sender, OTHER), body);
    }

    private static WorkerId required(@Nullable WorkerId claimed, JsonValue body) {
        if (claimed == null) {
            var isEmpty = body instanceof JsonObject object && object.isEmpty();
            throw new HttpRefusal(
                    ErrorCode.INVALID_BODY,
                    isEmpty
                            ? "Worker data not found in request"
                            : "Missing required field: worker_id");
        }
        return claimed;
    }

    private static @Nullable String named(@Nullable JsonValue body) {
        return body instanceof JsonObject object
                ? object.string("worker_id")
                        .or(() -> object.string("origin_worker_id"))
                        .orElse(null)
                : null;
    }

    /// The worker whose own token it is; null if the token does not show it.
    ///
    /// @throws HttpRefusal if the token is of no use
    @Nullable WorkerId sender(Context ctx, String token, @Nullable WorkerId claimed) {
        return sender(ctx, authentication.check(token, claimed));
    }

    /// The same by what was decided about the token.
    @Nullable WorkerId sender(Context ctx, WorkerAuthentication.Decision decision) {
        return switch (decision) {
            case WorkerAuthentication.Decision.Named(var worker) -> worker;
            case WorkerAuthentication.Decision.Unnamed _ -> null;
            case WorkerAuthentication.Decision.Refused(var error) -> throw refused(ctx, error);
        };
    }

    /// The refusal of a token that is not good: of one that is tried again and again it only states when to come back.
    HttpRefusal refused(Context ctx, String error) {
        var from = String.valueOf(ctx.ip());
        return limits.refused(from, error)
                .map(after ->
                        HttpRefusal.later(
                                ErrorCode.RATE_LIMITED,
                                after,
                                "Too Many Requests",
                                "too many tokens from " + from + " were refused"))
                .orElseGet(() -> new HttpRefusal(ErrorCode.UNAUTHENTICATED, error));
    }

    /// Whether the request has a token, of whatever worth.
    static boolean hasToken(Context ctx) {
        return BearerToken.of(ctx, List.of(TOKEN)) != null;
    }

    /// The token of the request.
    ///
    /// @throws HttpRefusal if there is none
    static String token(Context ctx) {
        var token = BearerToken.of(ctx, List.of(TOKEN));
        if (token != null) {
            return token;
        }
        throw new HttpRefusal(
                ErrorCode.UNAUTHENTICATED,
                "Missing worker token",
                "send it as Authorization: Bearer TOKEN; " + TOKEN + ": TOKEN is taken as well");
    }

    static @Nullable WorkerId worker(String name) {
        try {
            return new WorkerId(name);
        } catch (IllegalArgumentException noName) {
            return null;
        }
    }

    static HttpRefusal foreign(WorkerId sender, String act, String other) {
        return new HttpRefusal(
                ErrorCode.FORBIDDEN,
                "Forbidden: Authenticated worker '"
                        + sender
                        + "' cannot "
                        + act
                        + " another worker '"
                        + other
                        + "'.");
    }

    static HttpRefusal noSuchName() {
        return new HttpRefusal(ErrorCode.INVALID_BODY, "worker_id must have " + WorkerId.RULE);
    }

    /// The bytes of the body.
    ///
    /// @throws HttpRefusal if there are more than `most`
    static byte[] read(Context ctx, int most) {
        var declared = ctx.req().getContentLengthLong();
        if (declared > most) {
            throw tooLarge(ctx, most);
        }
        try {
            var in = ctx.req().getInputStream();
            if (declared >= 0 && declared <= SMALL) {
                BodyRoom.take(ctx, declared);
                var place = new byte[(int) declared];
                var length = in.readNBytes(place, 0, place.length);
                var bytes = length == place.length ? place : Arrays.copyOf(place, length);
                BodyRoom.takeValue(ctx, bytes);
                return bytes;
            }
            if (declared > 0) {
                BodyRoom.take(ctx, declared);
            }
            var bytes = declared < 0 ? BodyRoom.read(ctx, in, most) : in.readNBytes(most + 1);
            if (bytes.length > most) {
                throw tooLarge(ctx, most);
            }
            BodyRoom.takeValue(ctx, bytes);
            return bytes;
        } catch (IOException broken) {
            throw new UncheckedIOException("reading a worker's request", broken);
        }
    }

    /// A body as far as it was read.
    ///
    /// @param isCut whether there was more
    @SuppressWarnings("ArrayRecordComponent") // read once
    record Body(byte[] bytes, boolean isCut) {}

    /// The first `most` bytes of the body; the rest is read and dropped, so that its sender hears the answer.
    ///
    /// @throws HttpRefusal if it is far larger, or the sender is not let in
    Body readUpTo(Context ctx, int most) {
        var _ = sender(ctx, token(ctx), null);
        if (ctx.req().getContentLengthLong() <= most) {
            var declared = ctx.req().getContentLengthLong();
            if (declared >= 0) {
                return new Body(read(ctx, most), false);
            }
        }
        try {
            var in = ctx.req().getInputStream();
            var first = BodyRoom.read(ctx, in, most);
            var bytes = first.length > most ? Arrays.copyOf(first, most) : first;
            var dropped = (long) first.length - bytes.length;
            var rest = new byte[SMALL];
            for (var read = in.read(rest); read >= 0; read = in.read(rest)) {
                dropped += read;
                if (dropped > MOST_DROPPED) {
                    throw tooLarge(ctx, most);
                }
            }
            if (dropped == 0) {
                BodyRoom.takeValue(ctx, bytes);
            }
            return new Body(bytes, dropped > 0);
        } catch (IOException broken) {
            throw new HttpRefusal(ErrorCode.INCOMPLETE_BODY, "the body ended early");
        }
    }

    static HttpRefusal tooLarge(Context ctx, int most) {
        // What is still under way would have to be read before the connection could be used again.
        ctx.header("Connection", "close");
        return new HttpRefusal(
                ErrorCode.BODY_TOO_LARGE, "the body has more than " + most + " bytes");
    }

    /// The JSON value in `bytes`; null if there is none.
    static @Nullable JsonValue parse(byte[] bytes) {
        try {
            return bytes.length == 0 ? null : ForeignJson.read(bytes);
        } catch (MalformedJson malformed) {
            return null;
        }
    }

    /// The JSON value in `bytes`.
    ///
    /// @throws HttpRefusal if there is none
    static JsonValue json(byte[] bytes) {
        var value = parse(bytes);
        if (value == null) {
            throw unreadable(bytes);
        }
        return value;
    }

    /// Describes what is wrong with `bytes`, which are no JSON.
    static String whatIsWrong(byte[] bytes) {
        try {
            var _ = ForeignJson.read(bytes);
            return "it is not what is expected";
        } catch (MalformedJson malformed) {
            return String.valueOf(malformed.getMessage());
        }
    }

    /// Describes what is wrong with `bytes`.
    private static HttpRefusal unreadable(byte[] bytes) {
        if (bytes.length == 0) {
            return HttpRefusal.invalidJson("the body is empty");
        }
        try {
            var _ = ForeignJson.read(bytes);
        } catch (MalformedJson malformed) {
            return malformed.isTooHeavy()
                    ? new HttpRefusal(
                            ErrorCode.BODY_TOO_LARGE, String.valueOf(malformed.getMessage()))
                    : HttpRefusal.invalidJson(String.valueOf(malformed.getMessage()));
        }
        return HttpRefusal.invalidJson("the body is not what is expected");
    }
}
