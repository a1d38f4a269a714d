package dev.artel.server.api.figures;

import dev.artel.server.api.access.ApiAuthenticator;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How long answers over HTTP take, by route, and how many requests clients send. Written as text for Prometheus by itself,
/// since counting must not load what the other figures are made with. Bounded: routes are those that there are, and of
/// pairs of client and route so many are counted separately. Safe for use by many threads.
final class HttpFigures {
    /// So many pairs of client and route are counted separately; all further clients are [#OTHERS].
    static final int MOST_PAIRS = 2_000;

    /// The name of all clients for whom there is no room, which no client has.
    static final String OTHERS = "(others)";

    private static final String BEGAN = "artel.began";
    private static final String WORKERS = "/_worker/";
    private static final List<Duration> BOUNDS =
            Stream.of(5, 25, 100, 250, 1_000, 5_000, 30_000).map(Duration::ofMillis).toList();

    private final Map<Route, Times> times = new ConcurrentSkipListMap<>();
    private final Map<Pair, LongAdder> requests = new ConcurrentSkipListMap<>();
    private final AtomicInteger pairs = new AtomicInteger();

    private record Route(String path, String method) implements Comparable<Route> {
        @Override
        public int compareTo(Route other) {
            var byPath = path.compareTo(other.path);
            return byPath == 0 ? method.compareTo(other.method) : byPath;
        }
    }

    private record Pair(String client, Route route) implements Comparable<Pair> {
        @Override
        public int compareTo(Pair other) {
            var byClient = client.compareTo(other.client);
            return byClient == 0 ? route.compareTo(other.route) : byClient;
        }
    }

    private static final class Times {
        final List<LongAdder> upTo = BOUNDS.stream().map(_ -> new LongAdder()).toList();
        final LongAdder count = new LongAdder();
        final LongAdder nanos = new LongAdder();
    }

    /// A request is about to be handled.
    void begin(Context request) {
        request.attribute(BEGAN, System.nanoTime());
    }

    /// A request was answered.
    void answered(Context request) {
        @Nullable Long began = request.attribute(BEGAN);
        var endpoint = request.endpoints().matchedHttpEndpoint();
        if (began == null || endpoint == null) {
            return;
        }
        @Nullable String caller = request.attribute(ApiAuthenticator.CALLER);
        count(
                endpoint.method.name(),
                endpoint.path,
                endpoint.path.startsWith(WORKERS) ? "(worker)" : caller == null ? "(none)" : caller,
                Duration.ofNanos(System.nanoTime() - began));
    }

    void count(String method, String path, String client, Duration time) {
        var route = new Route(path, method);
        var its = times.computeIfAbsent(route, _ -> new Times());
        its.count.increment();
        its.nanos.add(time.toNanos());
        for (var i = 0; i < BOUNDS.size(); i++) {
            if (time.compareTo(BOUNDS.get(i)) <= 0) {
                its.upTo.get(i).increment();
            }
        }
        requests(new Pair(client, route)).increment();
    }

    private LongAdder requests(Pair pair) {
        var known = requests.get(pair);
        if (known != null) {
            return known;
        }
        return pairs.incrementAndGet() > MOST_PAIRS
                ? requests.computeIfAbsent(new Pair(OTHERS, pair.route()), _ -> new LongAdder())
                : requests.computeIfAbsent(pair, _ -> new LongAdder());
    }

    /// As Prometheus reads it.
    String text() {
        var text = new StringBuilder();
        text.append("# HELP artel_http_request_seconds from a request to its answer\n");
        text.append("# TYPE artel_http_request_seconds histogram\n");
        times.forEach((route, its) -> {
            var labels = "method=\"" + escaped(route.method()) + "\",route=\"";
            labels += escaped(route.path()) + '"';
            for (var i = 0; i < BOUNDS.size(); i++) {
                bucket(text, labels, seconds(BOUNDS.get(i)), its.upTo.get(i).sum());
            }
            // Read after the buckets, so that none of them is ahead of it.
            var count = its.count.sum();
            bucket(text, labels, "+Inf", count);
            line(text, "_sum", labels, seconds(Duration.ofNanos(its.nanos.sum())));
            line(text, "_count", labels, Long.toString(count));
        });
        text.append("# HELP artel_http_client_requests_total requests, by client\n");
        text.append("# TYPE artel_http_client_requests_total counter\n");
        requests.forEach((pair, count) ->
                text.append("artel_http_client_requests_total{client=\"")
                        .append(escaped(pair.client()))
                        .append("\",method=\"")
                        .append(escaped(pair.route().method()))
                        .append("\",route=\"")
                        .append(escaped(pair.route().path()))
                        .append("\"} ")
                        .append(count.sum())
                        .append('\n'));
        return text.toString();
    }

    private static void bucket(StringBuilder text, String labels, String bound, long count) {
        line(text, "_bucket", labels + ",le=\"" + bound + '"', Long.toString(count));
    }

    private static void line(StringBuilder text, String suffix, String labels, String value) {
        text.append("artel_http_request_seconds")
                .append(suffix)
                .append('{')
                .append(labels)
                .append("} ")
                .append(value)
                .append('\n');
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.3f", time.toNanos() / 1e9);
    }

    private static String escaped(String label) {
        return label.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }
}
