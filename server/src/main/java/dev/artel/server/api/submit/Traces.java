package dev.artel.server.api.submit;

import dev.artel.kernel.job.TraceContext;
import io.javalin.http.Context;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The traces of which requests are a part (W3C Trace Context, level 2). Nothing else of a request's head is kept.
final class Traces {
    private static final Logger LOG = LoggerFactory.getLogger(Traces.class);

    private Traces() {}

    /// Empty if the request names none, or not as W3C has it: that is never an error.
    static Optional<TraceContext> of(Context request) {
        var parents = headers(request, "traceparent");
        if (parents.isEmpty()) {
            return Optional.empty();
        }
        var states = String.join(",", headers(request, "tracestate"));
        var trace =
                parents.size() == 1
                        ? TraceContext.read(parents.getFirst(), states)
                        : Optional.<TraceContext>empty();
        if (trace.isEmpty()) {
            LOG.atDebug()
                    .addKeyValue("headers", parents.size())
                    .log("a traceparent that is not valid was ignored");
        } else if (trace.get().state().isEmpty() && !states.isBlank()) {
            LOG.atDebug()
                    .addKeyValue("characters", states.length())
                    .log("a tracestate that is not valid was ignored");
        }
        return trace;
    }

    private static List<String> headers(Context request, String name) {
        return Collections.list(request.req().getHeaders(name));
    }
}
