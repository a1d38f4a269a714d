package dev.artel.config;

import java.net.URI;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// Where traces of jobs are sent, and of how many jobs.
///
/// @param endpoint where a collector takes OTLP over HTTP, such as `http://localhost:4318/v1/traces`; empty: no traces are made
/// @param headers sent with each request, such as the key of the collector
/// @param ratio the part of the jobs without a trace of their own that are traced, from 0 to 1
/// @param service the name of the orchestrator in its traces
public record TraceSettings(
        Optional<URI> endpoint,
        SequencedMap<String, String> headers,
        double ratio,
        String service) {
    /// Where collectors take traces, below their own address.
    public static final String PATH = "v1/traces";

    /// No traces.
    public static final TraceSettings DEFAULTS =
            new TraceSettings(Optional.empty(), new LinkedHashMap<>(), 1, "artel");

    /// Copies `headers`.
    public TraceSettings {
        headers = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(headers));
    }

    /// These settings for another collector. An address without a path gets the one of the standard.
    public TraceSettings withEndpoint(URI collector) {
        var path = collector.getRawPath();
        var whole =
                path == null || path.isEmpty() || path.equals("/")
                        ? collector.resolve("/" + PATH)
                        : collector;
        return new TraceSettings(Optional.of(whole), headers, ratio, service);
    }

    /// These settings with other headers.
    public TraceSettings withHeaders(SequencedMap<String, String> others) {
        return new TraceSettings(endpoint, others, ratio, service);
    }

    /// These settings for another part of the jobs.
    public TraceSettings withRatio(double part) {
        return new TraceSettings(endpoint, headers, part, service);
    }

    /// These settings under another name.
    public TraceSettings withService(String name) {
        return new TraceSettings(endpoint, headers, ratio, name);
    }

    /// Without the values of the headers, which may be secrets.
    @Override
    public String toString() {
        return "TraceSettings[endpoint="
                + endpoint
                + ", headers="
                + headers.keySet()
                + ", ratio="
                + ratio
                + ", service="
                + service
                + "]";
    }
}
