package dev.artel.telemetry;

import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.TraceContext;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.util.List;
import java.util.Optional;

/// The trace of which a job is a part, and where in it the job belongs.
///
/// @param trace its id, 32 hexadecimal digits
/// @param parent the span below which the job is; empty: it is the root
/// @param state what clients send along
/// @param isSampled whether its spans are sent
record JobTrace(String trace, Optional<String> parent, String state, boolean isSampled) {
    private static final int TRACE = 3;
    private static final int SPAN = 36;
    private static final int FLAGS = 53;

    /// That of the client, or one that follows from the id of the root of its tree. A client that does not sample its trace
    /// decides so for the jobs in it.
    ///
    /// @param ratio the part of the others that is sampled
    static JobTrace of(JobId job, JobSpec spec, double ratio) {
        var parent = spec.parentLink().map(link -> SpanNames.child(link.parent(), link.start()));
        var given = spec.options().trace();
        if (given.isPresent()) {
            var header = given.get().parent();
            return new JobTrace(
                    header.substring(TRACE, SPAN - 1),
                    Optional.of(parent.orElse(header.substring(SPAN, FLAGS - 1))),
                    given.get().state(),
                    isSampled(given.get()));
        }
        var trace = SpanNames.traceOf(root(job, spec));
        return new JobTrace(trace, parent, "", isSampled(trace, ratio));
    }

    /// Whether the spans of `job` are sent; cheaper than [#of].
    static boolean isSampled(JobId job, JobSpec spec, double ratio) {
        var given = spec.options().trace();
        if (given.isPresent()) {
            return isSampled(given.get());
        }
        return ratio >= 1 || isSampled(SpanNames.traceOf(root(job, spec)), ratio);
    }

    private static JobId root(JobId job, JobSpec spec) {
        return spec.parentLink().map(ParentLink::root).orElse(job);
    }

    static boolean isSampled(TraceContext given) {
        return (Integer.parseInt(given.parent().substring(FLAGS), 16) & 1) == 1;
    }

    /// As the sampler `traceidratio` of OpenTelemetry decides: the same for all parts of a trace.
    private static boolean isSampled(String trace, double ratio) {
        var random = Long.parseUnsignedLong(trace, 16, 32, 16) & Long.MAX_VALUE;
        return ratio >= 1 || random < ratio * Long.MAX_VALUE;
    }

    /// What a worker gets whose span is below `span`.
    TraceContext below(String span) {
        return new TraceContext("00-" + trace + '-' + span + "-01", state);
    }

    SpanContext context(String span) {
        return SpanContext.create(trace, span, TraceFlags.getSampled(), traceState());
    }

    private TraceState traceState() {
        if (state.isEmpty()) {
            return TraceState.getDefault();
        }
        var made = TraceState.builder();
        // The first of the list is the one that was put last.
        for (var entry : List.of(state.split(",")).reversed()) {
            var equals = entry.indexOf('=');
            made.put(entry.substring(0, equals).strip(), entry.substring(equals + 1).strip());
        }
        return made.build();
    }
}
