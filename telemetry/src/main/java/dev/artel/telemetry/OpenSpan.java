package dev.artel.telemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A span that has begun. Not safe for use by many threads.
final class OpenSpan {
    /// As many events as the SDK of OpenTelemetry takes by default.
    private static final int MOST_EVENTS = 128;

    private static final int LONGEST_TEXT = 1024;

    private final JobTrace trace;
    private final String id;
    private final Optional<String> parent;
    private final String name;
    private final SpanKind kind;
    private final Instant begin;
    private final AttributesBuilder attributes = Attributes.builder();
    private @Nullable List<EventData> events;
    private int lostEvents;
    private List<LinkData> links = List.of();
    private StatusData status = StatusData.unset();

    OpenSpan(
            JobTrace trace,
            String id,
            Optional<String> parent,
            String name,
            SpanKind kind,
            Instant begin) {
        this.trace = trace;
        this.id = id;
        this.parent = parent;
        this.name = name;
        this.kind = kind;
        this.begin = begin;
    }

    String id() {
        return id;
    }

    Instant begin() {
        return begin;
    }

    SpanContext context() {
        return trace.context(id);
    }

    OpenSpan with(String attribute, String value) {
        attributes.put(attribute, shortened(value));
        return this;
    }

    OpenSpan with(String attribute, long value) {
        attributes.put(attribute, value);
        return this;
    }

    OpenSpan linkedTo(SpanContext other, String why) {
        var more = new ArrayList<>(links);
        more.add(LinkData.create(other, Attributes.builder().put("artel.link", why).build()));
        links = more;
        return this;
    }

    OpenSpan failed(String why) {
        status = StatusData.create(StatusCode.ERROR, shortened(why));
        return this;
    }

    void note(String what, Instant at, Attributes more) {
        var known = events;
        if (known == null) {
            known = new ArrayList<>(2);
            events = known;
        }
        if (known.size() < MOST_EVENTS) {
            known.add(EventData.create(nanos(at), what, more));
        } else {
            lostEvents++;
        }
    }

    /// A clock that was set back makes no span that ends before it began.
    SpanData end(Instant at, Resource resource) {
        var known = events;
        return new EndedSpan(
                name,
                kind,
                context(),
                parent.map(trace::context).orElse(SpanContext.getInvalid()),
                nanos(begin),
                nanos(at.isBefore(begin) ? begin : at),
                status,
                attributes.build(),
                known == null ? List.of() : List.copyOf(known),
                lostEvents,
                links,
                resource);
    }

    static String shortened(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 3) + "...";
    }

    private static long nanos(Instant at) {
        return at.getEpochSecond() * 1_000_000_000L + at.getNano();
    }
}
