package dev.artel.worker.link;

import java.net.URI;
import java.util.function.BiConsumer;

/// One of the orchestrators that a worker serves.
///
/// @param uri where its worker routes begin, without `/_worker`
/// @param token what it knows the worker by; empty for none
public record Orchestrator(URI uri, String token) {
    /// Refuses what no request can be sent to.
    public Orchestrator {
        var scheme = uri.getScheme();
        if (uri.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException(
                    "an orchestrator's address is like http://host:8080, was " + uri);
        }
    }

    /// The address of `path`, which begins with a slash.
    URI at(String path) {
        return URI.create(root() + path);
    }

    /// The address of the socket of `worker`, which is already fit for a path.
    URI socket(String worker) {
        return URI.create(root().replaceFirst("^http", "ws") + "/_worker/ws/" + worker);
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

    @Override
    public String toString() {
        return uri.toString();
    }
}
