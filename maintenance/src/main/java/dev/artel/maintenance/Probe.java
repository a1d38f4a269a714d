package dev.artel.maintenance;

import dev.artel.config.ServerConfig;
import dev.artel.files.Instance;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Asks whether an orchestrator is ready.
final class Probe {
    private static final int TIMEOUT_MILLIS = 3_000;

    private Probe() {}

    /// @param status in the orchestrator's words
    /// @param date the orchestrator's clock
    /// @param instance which run of an orchestrator it is; empty if it does not state it
    record Answer(boolean isReady, String status, String date, Optional<Instance> instance) {}

    /// The answer of the orchestrator at `host`; empty if there is none.
    static Optional<Answer> ready(ServerConfig config, InetAddress host) {
        try {
            var connection = connection(config, host, "/readyz");
            var isReady = connection.getResponseCode() == 200;
            try (InputStream in =
                    isReady ? connection.getInputStream() : connection.getErrorStream()) {
                return in != null && JsonText.read(in.readNBytes(65_536)) instanceof JsonObject it
                        ? it.string("reason")
                                .or(() -> it.string("status"))
                                .map(status ->
                                        new Answer(
                                                isReady,
                                                status,
                                                String.valueOf(connection.getHeaderField("Date")),
                                                Optional.ofNullable(
                                                                connection.getHeaderField(
                                                                        Instance.HEADER))
                                                        .map(Instance::new)))
                        : Optional.empty();
            }
        } catch (javax.net.ssl.SSLException unverified) {
            // It speaks TLS, with a certificate that this machine does not trust.
            return Optional.of(
                    new Answer(
                            true,
                            "not asked, TLS: " + unverified.getMessage(),
                            "",
                            Optional.empty()));
        } catch (IOException | MalformedJson noAnswer) {
            return Optional.empty();
        }
    }

    /// What the orchestrator at `host` reports as wrong, as in `GET /readyz`; nothing if it does not answer.
    static List<String> problems(ServerConfig config, InetAddress host) {
        try (var in = connection(config, host, "/readyz").getInputStream()) {
            return JsonText.read(in.readNBytes(65_536)) instanceof JsonObject it
                    ? it.array("problems")
                            .map(problems ->
                                    problems.stream()
                                            .filter(JsonString.class::isInstance)
                                            .map(problem -> ((JsonString) problem).value())
                                            .toList())
                            .orElse(List.of())
                    : List.of();
        } catch (IOException | MalformedJson unanswered) {
            return List.of();
        }
    }

    /// The figure `name` of the orchestrator at `host`, as in `GET /metrics`; empty if it does not answer.
    static OptionalLong figure(ServerConfig config, InetAddress host, String name) {
        try (var in = figures(config, host).getInputStream()) {
            return new String(in.readNBytes(4 << 20), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(name + " "))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
                    .findFirst();
        } catch (IOException | NumberFormatException unanswered) {
            return OptionalLong.empty();
        }
    }

    private static HttpURLConnection figures(ServerConfig config, InetAddress host)
            throws IOException {
        var operations = config.ingress().operations();
        var own = operations.listen();
        if (own.isPresent()) {
            var name = own.get().host();
            return patient(
                    URI.create(
                            "http://"
                                    + (name.contains(":") ? "[" + name + "]" : name)
                                    + ":"
                                    + own.get().port()
                                    + "/metrics"));
        }
        var connection = connection(config, host, "/metrics");
        operations
                .metricsToken()
                .ifPresent(token ->
                        connection.setRequestProperty("Authorization", "Bearer " + token.value()));
        return connection;
    }

    private static HttpURLConnection connection(ServerConfig config, InetAddress host, String path)
            throws IOException {
        var name = host.getHostAddress();
        var uri =
                URI.create(
                        (config.ingress().tls().isPresent() ? "https://" : "http://")
                                + (name.contains(":") ? "[" + name + "]" : name)
                                + ":"
                                + config.http().port()
                                + config.ingress().proxy().basePath()
                                + path);
        return patient(uri);
    }

    private static HttpURLConnection patient(URI uri) throws IOException {
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        return connection;
    }
}
