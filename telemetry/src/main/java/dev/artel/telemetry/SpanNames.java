package dev.artel.telemetry;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobId;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// The ids of spans, which follow from what they are about: the same after a restart, and known before the span has ended.
final class SpanNames {
    private SpanNames() {}

    /// The trace of a tree of jobs that no client has made part of another one.
    static String traceOf(JobId root) {
        var digest = digest("trace", root.value());
        return TraceId.fromLongs(digest.getLong(0) | 1, digest.getLong(8));
    }

    static String job(JobId job) {
        return span("job", job.value());
    }

    /// A state that was entered.
    ///
    /// @param event the number of the event
    /// @param ordinal which of those that the event entered
    static String state(JobId job, long event, int ordinal) {
        return span("state", job.value(), event, ordinal);
    }

    /// A run of a handler.
    ///
    /// @param event the number of the event that ended it
    static String handler(JobId job, long event) {
        return span("handler", job.value(), event, 0);
    }

    /// A task.
    ///
    /// @param event the number of the event that opened it
    /// @param ordinal which of those that the event opened
    static String task(JobId job, long event, int ordinal) {
        return span("task", job.value(), event, ordinal);
    }

    static String queued(LeaseToken token) {
        return span("queued", token.value());
    }

    static String attempt(LeaseToken token) {
        return span("attempt", token.value());
    }

    /// What a job waits for while another one runs for it.
    ///
    /// @param start the effect that started the child
    static String child(JobId parent, EffectId start) {
        return span("child", parent.value() + ' ' + start);
    }

    private static String span(String kind, String job, long event, int ordinal) {
        return span(kind, job + ' ' + event + ' ' + ordinal);
    }

    private static String span(String kind, String name) {
        return SpanId.fromLong(digest(kind, name).getLong(0) | 1);
    }

    private static ByteBuffer digest(String kind, String name) {
        try {
            return ByteBuffer.wrap(
                    MessageDigest.getInstance("SHA-256")
                            .digest((kind + '\0' + name).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
