package dev.artel.worker.link;

import dev.artel.worker.wire.WireProvider;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// An address of one of the orchestrators that a worker serves; its scheme names the wire.
///
/// @param uri where its worker routes begin, without `/_worker`; for other wires than HTTP as these want it
/// @param token what it knows the worker by; empty for none
/// @param given the wire, if the program that has the worker brings it along; null: the scheme decides
public record Orchestrator(URI uri, String token, @Nullable WireProvider given) {
    private static final Set<String> HTTP = Set.of("http", "https");
    private static final Set<String> WEBSOCKET = Set.of("ws", "wss");
    private static final Map<String, String> ARTIFACTS =
            Map.of(
                    "zmq",
                    "artel-worker-zeromq",
                    "amqp",
                    "artel-worker-amqp",
                    "amqps",
                    "artel-worker-amqp");
    private static final String SOCKET = "/ws/worker";

    /// An address whose scheme names the wire.
    public Orchestrator(URI uri, String token) {
        this(uri, token, null);
    }

    /// Refuses what no request can be sent to.
    public Orchestrator {
        var scheme = scheme(uri);
        var isOurs = HTTP.contains(scheme) || WEBSOCKET.contains(scheme);
        var provider = given != null ? given : isOurs ? null : provider(scheme).orElse(null);
        if (provider != null) {
            provider.check(uri);
        } else if (ARTIFACTS.containsKey(scheme)) {
            throw new IllegalArgumentException(
                    "the address "
                            + shown(uri)
                            + " needs the artifact dev.artel:"
                            + ARTIFACTS.get(scheme)
                            + " on the class path, which was not found");
        } else if (uri.getHost() == null || !isOurs) {
            throw new IllegalArgumentException(
                    "an orchestrator's address is like http://host:8080, ws://host:8080, zmq://host or amqp://host, was "
                            + uri);
        }
    }

    private static String scheme(URI uri) {
        return uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    }

    private static Optional<WireProvider> provider(String scheme) {
        return ServiceLoader.load(WireProvider.class, WireProvider.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.schemes().contains(scheme))
                .findFirst();
    }

    /// Who knows its wire; empty for those of the SDK itself.
    Optional<WireProvider> provider() {
        if (given != null) {
            return Optional.of(given);
        }
        return isHttp() || isWebSocket() ? Optional.empty() : provider(scheme(uri));
    }

    /// Whether its wire is HTTP.
    public boolean isHttp() {
        return given == null && HTTP.contains(scheme(uri));
    }

    boolean isWebSocket() {
        return given == null && WEBSOCKET.contains(scheme(uri));
    }

    /// The same orchestrator over HTTP; null if it is unknown where.
    @Nullable Orchestrator overHttp() {
        if (isHttp()) {
            return this;
        }
        if (isWebSocket()) {
            var root = root().replaceFirst("(?i)^ws", "http");
            var base =
                    root.endsWith(SOCKET)
                            ? root.substring(0, root.length() - SOCKET.length())
                            : root;
            return new Orchestrator(URI.create(base), token);
        }
        return provider()
                .flatMap(provider -> provider.http(uri))
                .map(http -> new Orchestrator(http, token))
                .orElse(null);
    }

    /// The address of `path`, which begins with a slash.
    URI at(String path) {
        return URI.create(root() + path);
    }

    /// The address of the socket of `worker`, which is already fit for a path.
    URI socket(String worker) {
        return URI.create(root().replaceFirst("^http", "ws") + "/_worker/ws/" + worker);
    }

    /// The address of the WebSocket over which tasks are pushed.
    URI pushSocket() {
        return URI.create(root().endsWith(SOCKET) ? root() : root() + SOCKET);
    }

    /// Adds the token to a request, if there is one: as `Authorization: Bearer` (RFC 6750), and in the header that orchestrators of the
    /// first generation know alone. Which of them answers is not known before its first answer, and after a restart it may be another one; so
    /// each request has both, which name the same token.
    ///
    /// @param header takes the name and the value of each header
    void authorize(BiConsumer<String, String> header) {
        if (!token.isEmpty()) {
            header.accept("Authorization", "Bearer " + token);
            header.accept("X-Worker-Token", token);
        }
    }

    private String root() {
        var text = uri.toString();
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /// Its address for messages, without a login and a query: that may have keys.
    @Override
    public String toString() {
        return shown(uri);
    }

    private static String shown(URI uri) {
        return uri.toString().replaceFirst("\\?.*", "").replaceFirst("//[^@/]*@", "//");
    }
}
