package dev.artel.opentelemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/// A collector of OTLP over HTTP, on a socket of its own.
final class TraceCollector implements AutoCloseable {
    private static final HexFormat HEX = HexFormat.of();

    private final HttpServer server;
    private final List<Got> spans = new CopyOnWriteArrayList<>();
    private final List<String> keys = new CopyOnWriteArrayList<>();

    /// A span of `service`.
    record Got(String service, Span span) {
        String id() {
            return HEX.formatHex(span.getSpanId().toByteArray());
        }

        String parent() {
            return HEX.formatHex(span.getParentSpanId().toByteArray());
        }

        String trace() {
            return HEX.formatHex(span.getTraceId().toByteArray());
        }

        String name() {
            return span.getName();
        }

        Optional<String> attribute(String name) {
            return span.getAttributesList().stream()
                    .filter(attribute -> attribute.getKey().equals(name))
                    .map(attribute ->
                            attribute.getValue().hasStringValue()
                                    ? attribute.getValue().getStringValue()
                                    : String.valueOf(attribute.getValue().getIntValue()))
                    .findFirst();
        }

        List<String> links() {
            return span.getLinksList().stream()
                    .map(link -> HEX.formatHex(link.getSpanId().toByteArray()))
                    .toList();
        }
    }

    TraceCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange;
                var body = exchange.getRequestBody()) {
            var isZipped = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            var bytes = (isZipped ? new GZIPInputStream(body) : body).readAllBytes();
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("api-key")));
            for (var resource : ExportTraceServiceRequest.parseFrom(bytes).getResourceSpansList()) {
                var service =
                        resource.getResource().getAttributesList().stream()
                                .filter(attribute -> attribute.getKey().equals("service.name"))
                                .map(attribute -> attribute.getValue().getStringValue())
                                .findFirst()
                                .orElse("");
                resource.getScopeSpansList().stream()
                        .flatMap(scope -> scope.getSpansList().stream())
                        .forEach(span -> spans.add(new Got(service, span)));
            }
            var answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        }
    }

    List<Got> spans() {
        return List.copyOf(spans);
    }

    /// What the header `api-key` of each request was.
    List<String> keys() {
        return List.copyOf(keys);
    }

    /// The spans as a tree: a line each, indented below its parent, in the order of their times and names.
    String tree() {
        var byParent = spans.stream().collect(Collectors.groupingBy(Got::parent));
        var text = new StringBuilder();
        append(text, byParent, "", 0);
        return text.toString();
    }

    private static void append(
            StringBuilder text, Map<String, List<Got>> byParent, String parent, int depth) {
        byParent.getOrDefault(parent, List.of()).stream()
                .map(span -> {
                    var below = new StringBuilder();
                    below.repeat("  ", depth)
                            .append(span.name())
                            .append(span.span().getStatus().getCodeValue() == 2 ? " !" : "")
                            .append('\n');
                    append(below, byParent, span.id(), depth + 1);
                    return below.toString();
                })
                .sorted()
                .forEach(text::append);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
