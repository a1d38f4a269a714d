package dev.artel.gateway.http;

import io.javalin.http.Context;
import io.javalin.http.ExceptionHandler;
import io.javalin.router.JavalinDefaultRoutingApi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Mounts handlers of exceptions that never throw themselves.
///
/// Javalin calls the handler of an exception as one more step of the request, and a step that throws is followed by
/// the handler of what it threw. A request whose connection broke is recycled by Jetty while its answer is worked out, and a
/// recycled request throws whatever is read of it: a handler that reads its path or its headers is then called again without
/// end, on a thread that nothing stops.
public final class ExceptionRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(ExceptionRoutes.class);

    private ExceptionRoutes() {}

    /// Answers requests that end in an exception of `type` with `handler`. If that throws as well, both are logged and the
    /// request is answered with status 500 as far as it can be answered at all.
    public static <E extends Exception> void map(
            JavalinDefaultRoutingApi routes, Class<E> type, ExceptionHandler<? super E> handler) {
        routes.exception(
                type,
                (found, request) -> {
                    try {
                        handler.handle(found, request);
                    } catch (Exception broken) {
                        notAnswered(found, broken, request);
                    }
                });
    }

    private static void notAnswered(Exception found, Exception broken, Context request) {
        try {
            request.res().setStatus(500);
        } catch (RuntimeException recycled) {
            broken.addSuppressed(recycled);
        }
        LOG.atWarn()
                .addKeyValue("failure", found.toString())
                .setCause(broken)
                .log("the failure of a request was not sent; its connection is probably gone");
    }
}
