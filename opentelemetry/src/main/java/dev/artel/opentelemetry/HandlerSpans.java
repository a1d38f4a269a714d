package dev.artel.opentelemetry;

import dev.artel.json.JsonObject;
import dev.artel.worker.TaskContext;
import dev.artel.worker.TaskTracer;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import org.jspecify.annotations.Nullable;

/// A span around each run of a handler, below the span of the attempt that the orchestrator makes. Spans that the handler makes on its
/// thread are below it.
///
/// ```java
/// Worker.fromEnvironment().tracer(HandlerSpans.of(openTelemetry)).handle(BOOK_FLIGHT, trip -> ...).run();
/// ```
///
/// Safe for use by many threads.
public final class HandlerSpans implements TaskTracer {
    private static final TextMapGetter<JsonObject> GETTER =
            new TextMapGetter<>() {
                @Override
                public @Nullable String get(@Nullable JsonObject headers, String name) {
                    return headers == null ? null : headers.string(name).orElse(null);
                }
            };

    private final Tracer tracer;

    private HandlerSpans(Tracer tracer) {
        this.tracer = tracer;
    }

    /// Spans of `openTelemetry`, such as `GlobalOpenTelemetry.get()`.
    public static HandlerSpans of(OpenTelemetry openTelemetry) {
        return new HandlerSpans(openTelemetry.getTracer("dev.artel.worker"));
    }

    @Override
    public TaskSpan begin(TaskContext task) {
        var parent =
                W3CTraceContextPropagator.getInstance()
                        .extract(Context.root(), task.tracingContext(), GETTER);
        var span =
                tracer.spanBuilder("handle " + task.type())
                        .setParent(parent)
                        .setSpanKind(SpanKind.CONSUMER)
                        .setAttribute("artel.job.id", task.jobId())
                        .setAttribute("artel.task.type", task.type())
                        .setAttribute("artel.attempt", task.attempt())
                        .startSpan();
        return new Current(span);
    }

    private static final class Current implements TaskSpan {
        private final Span span;
        private final Scope scope;

        @SuppressWarnings("MustBeClosedChecker") // end() closes it
        Current(Span span) {
            this.span = span;
            scope = span.makeCurrent();
        }

        @Override
        public void failed(Throwable thrown) {
            var message = thrown.getMessage();
            span.setStatus(
                    StatusCode.ERROR, message == null ? thrown.getClass().getName() : message);
            var _ = span.recordException(thrown);
        }

        @Override
        public void end() {
            scope.close();
            span.end();
        }
    }
}
