package dev.artel.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.stream.Collectors;

/// Which jobs are meant: those that match all parts. `JobFilter.ofBlueprint("hello").withLabel("order", "4711")`.
///
/// @param parameters as the list of jobs has them
public record JobFilter(SequencedMap<String, String> parameters) {
    /// Copies `parameters`.
    public JobFilter {
        parameters = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(parameters));
    }

    /// The jobs of a blueprint.
    public static JobFilter ofBlueprint(String name) {
        return with(new LinkedHashMap<>(), "blueprint", name);
    }

    /// The jobs with a status.
    ///
    /// @throws IllegalArgumentException if it is [JobStatus#UNKNOWN]
    public static JobFilter ofStatus(JobStatus status) {
        return with(new LinkedHashMap<>(), "status", status.word());
    }

    /// The jobs with a label.
    public static JobFilter ofLabel(String name, String value) {
        return with(new LinkedHashMap<>(), "label." + name, value);
    }

    /// The jobs that a job has started.
    public static JobFilter ofParent(JobRef parent) {
        return with(new LinkedHashMap<>(), "parent", parent.id());
    }

    /// Those of these that are of a blueprint.
    public JobFilter withBlueprint(String name) {
        return with(parameters, "blueprint", name);
    }

    /// Those of these that have a status.
    ///
    /// @throws IllegalArgumentException if it is [JobStatus#UNKNOWN]
    public JobFilter withStatus(JobStatus status) {
        return with(parameters, "status", status.word());
    }

    /// Those of these that a client has submitted.
    public JobFilter withClient(String name) {
        return with(parameters, "client", name);
    }

    /// Those of these that have a label.
    public JobFilter withLabel(String name, String value) {
        return with(parameters, "label." + name, value);
    }

    /// Those of these in whose error message or labels all `words` stand.
    public JobFilter withWords(String words) {
        return with(parameters, "q", words);
    }

    /// Those of these that were submitted at `first` or later.
    public JobFilter since(Instant first) {
        return with(parameters, "from", first.toString());
    }

    /// Those of these that were submitted before `end`.
    public JobFilter before(Instant end) {
        return with(parameters, "until", end.toString());
    }

    private static JobFilter with(Map<String, String> others, String name, String value) {
        var all = new LinkedHashMap<>(others);
        all.put(name, value);
        return new JobFilter(all);
    }

    /// This filter in the query of a request.
    String query() {
        return parameters.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
