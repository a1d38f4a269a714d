package dev.artel.server.api.http;

import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.ExceptionRoutes;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.gateway.http.Problem;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.ValueTooLarge;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.javalin.http.NotFoundResponse;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Answers every failure with JSON, and never with a stack trace.
public final class JsonErrors {
    private static final Logger LOG = LoggerFactory.getLogger(JsonErrors.class);

    private JsonErrors() {}

    /// Answers the failures of all `routes`.
    public static void mount(RoutesConfig routes) {
        ExceptionRoutes.map(routes, HttpRefusal.class, HttpRefusal::answer);
        ExceptionRoutes.map(routes, HttpResponseException.class, JsonErrors::notServed);
        ExceptionRoutes.map(
                routes,
                StoreException.StoreFull.class,
                (full, request) -> refusal(full).answer(request));
        ExceptionRoutes.map(
                routes,
                ValueTooLarge.class,
                (tooLarge, request) -> refusal(tooLarge).answer(request));
        ExceptionRoutes.map(routes, StoreException.StoreUnavailable.class, JsonErrors::away);
        ExceptionRoutes.map(routes, StoreException.StoreCorrupt.class, JsonErrors::unreadable);
        ExceptionRoutes.map(routes, UncheckedIOException.class, JsonErrors::brokenOff);
        ExceptionRoutes.map(routes, Exception.class, JsonErrors::failed);
    }

    /// The answer to a request that ended in `tooLarge`.
    public static HttpRefusal refusal(ValueTooLarge tooLarge) {
        return new HttpRefusal(
                ErrorCode.VALUE_TOO_LARGE,
                "Value too large",
                String.valueOf(tooLarge.getMessage()));
    }

    /// The answer to a request for which the store failed.
    public static HttpRefusal refusal(StoreException away) {
        return away instanceof StoreException.StoreFull
                ? HttpRefusal.later(
                        ErrorCode.STORE_UNAVAILABLE,
                        Duration.ofSeconds(1),
                        "The store has no room; free some on its disk",
                        null)
                : HttpRefusal.later(
                        ErrorCode.STORE_UNAVAILABLE,
                        Duration.ofSeconds(5),
                        "A store does not answer; the log of the orchestrator names it",
                        null);
    }

    /// The outcome is unknown to us as well; the same may be sent again.
    private static void away(StoreException.StoreUnavailable away, Context request) {
        LOG.atWarn()
                .addKeyValue("method", request.method())
                .addKeyValue("path", ShownPath.of(request.path()))
                .setCause(away)
                .log("a store does not answer; a request was refused for now");
        refusal(away).answer(request);
    }

    /// It cannot be read before an operator has recovered it; the answer has the cause.
    private static void unreadable(StoreException.StoreCorrupt broken, Context request) {
        LOG.atError()
                .addKeyValue("method", request.method())
                .addKeyValue("path", request.path())
                .setCause(broken)
                .log("stored data cannot be read");
        Answers.problem(
                request,
                Problem.of(
                        ErrorCode.STORED_DATA_UNREADABLE,
                        "What is stored of this cannot be read",
                        String.valueOf(broken.getMessage())));
    }

    private static void notServed(HttpResponseException found, Context request) {
        var error =
                switch (found) {
                    case NotFoundResponse _ -> "Not found: " + request.path();
                    case MethodNotAllowedResponse _ ->
                            "Method not allowed: " + request.method() + " " + request.path();
                    default -> String.valueOf(found.getMessage());
                };
        Answers.problem(request, Problem.of(found.getStatus(), error, null));
    }

    /// A client that hangs up in the middle of its request is no failure of ours.
    private static void brokenOff(UncheckedIOException broken, Context request) {
        if (Bodies.isOfTheClient(broken)) {
            Bodies.unread(broken).answer(request);
        } else {
            failed(broken, request);
        }
    }

    private static void failed(Exception bug, Context request) {
        var id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        LOG.atError()
                .addKeyValue("id", id)
                .addKeyValue("method", request.method())
                .addKeyValue("path", request.path())
                .setCause(bug)
                .log("a request failed");
        var problem =
                Problem.of(
                        ErrorCode.INTERNAL_ERROR,
                        "Internal error",
                        "the log of the orchestrator has more under id " + id);
        Answers.problem(request, problem.with("id", JsonValue.of(id)));
    }
}
