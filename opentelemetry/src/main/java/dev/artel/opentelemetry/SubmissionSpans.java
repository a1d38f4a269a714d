package dev.artel.opentelemetry;

import dev.artel.blueprint.BlueprintType;
import dev.artel.client.ArtelClient;
import dev.artel.client.JobHandle;
import dev.artel.client.JobRef;
import dev.artel.client.JobSubmission;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import java.util.HashMap;
import java.util.Map;

/// Submits jobs, each in a span below the current one. The trace of the job goes on below that.
///
/// Safe for use by many threads.
public final class SubmissionSpans {
    private final ArtelClient client;
    private final Tracer tracer;

    private SubmissionSpans(ArtelClient client, Tracer tracer) {
        this.client = client;
        this.tracer = tracer;
    }

    /// Submits with `client`, in spans of `openTelemetry`.
    public static SubmissionSpans of(ArtelClient client, OpenTelemetry openTelemetry) {
        return new SubmissionSpans(client, openTelemetry.getTracer("dev.artel.client"));
    }

    /// Submits a job of the blueprint `type`; see [ArtelClient#submit(BlueprintType, Object)].
    ///
    /// @throws dev.artel.client.ClientException which states what to do next
    public <I, O> JobHandle<O> submit(BlueprintType<I, O> type, I input) {
        return client.handle(type, submit(JobSubmission.of(type, input)));
    }

    /// Submits a job; see [ArtelClient#submit(JobSubmission)]. A trace that it has already is replaced.
    ///
    /// @throws dev.artel.client.ClientException which states what to do next
    public JobRef submit(JobSubmission wanted) {
        var span =
                tracer.spanBuilder("submit " + wanted.blueprint())
                        .setSpanKind(SpanKind.CLIENT)
                        .setAttribute("artel.blueprint.name", wanted.blueprint())
                        .startSpan();
        try (var _ = span.makeCurrent()) {
            var job = client.submit(traced(wanted));
            var _ = span.setAttribute("artel.job.id", job.id());
            return job;
        } catch (RuntimeException refused) {
            var _ = span.setStatus(StatusCode.ERROR, String.valueOf(refused.getMessage()));
            throw refused;
        } finally {
            span.end();
        }
    }

    private static JobSubmission traced(JobSubmission wanted) {
        Map<String, String> headers = new HashMap<>();
        W3CTraceContextPropagator.getInstance()
                .inject(
                        Context.current(),
                        headers,
                        (carrier, name, value) -> {
                            if (carrier != null) {
                                carrier.put(name, value);
                            }
                        });
        var parent = headers.get("traceparent");
        return parent == null
                ? wanted
                : wanted.withTrace(parent, headers.getOrDefault("tracestate", ""));
    }
}
