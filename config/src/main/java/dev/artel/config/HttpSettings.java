package dev.artel.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;

/// How the orchestrator listens, and how much it takes from strangers.
///
/// @param host the address to listen on
/// @param port the port to listen on; 0: any free one
/// @param maxBodyBytes larger bodies are refused
/// @param maxHeaderBytes larger heads of requests are refused
/// @param idleTimeout a connection on which nothing happens for so long is closed, unless a request waits on it
/// @param requestLimit how long a client may take to send a request
/// @param maxConnections how many connections are open at once; more wait to be accepted
/// @param shared for how many streams and waits there is room
public record HttpSettings(
        String host,
        int port,
        int maxBodyBytes,
        int maxHeaderBytes,
        Duration idleTimeout,
        Duration requestLimit,
        int maxConnections,
        SharedRoom shared) {
    /// 127.0.0.1:8080, 1 MiB of body, 8 KiB of head, 60 s of nothing, 30 s for a request.
    public static final HttpSettings DEFAULTS =
            new HttpSettings(
                    "127.0.0.1",
                    8080,
                    1 << 20,
                    8 << 10,
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(30),
                    50_000,
                    SharedRoom.DEFAULTS);

    /// Whether this machine alone reaches it.
    public boolean isLoopback() {
        return isLoopback(host);
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false; // the attempt to listen there reports more
        }
    }

    /// Refuses what cannot work.
    public HttpSettings {
        require(!host.isBlank(), "http.host must not be blank");
        require(port >= 0 && port <= 65_535, "http.port must be from 0 to 65535, was " + port);
        require(
                maxBodyBytes >= 1024,
                "http.max-body-bytes must be at least 1024, was " + maxBodyBytes);
        require(
                maxHeaderBytes >= 1024,
                "http.max-header-bytes must be at least 1024, was " + maxHeaderBytes);
        require(idleTimeout.isPositive(), "http.idle-timeout must be positive, was " + idleTimeout);
        require(
                requestLimit.isPositive(),
                "http.request-limit must be positive, was " + requestLimit);
        require(
                maxConnections >= 1,
                "http.max-connections must be at least 1, was " + maxConnections);
    }

    /// These settings on another address.
    public HttpSettings withHost(String other) {
        return new HttpSettings(
                other,
                port,
                maxBodyBytes,
                maxHeaderBytes,
                idleTimeout,
                requestLimit,
                maxConnections,
                shared);
    }

    /// These settings on another port.
    public HttpSettings withPort(int other) {
        return new HttpSettings(
                host,
                other,
                maxBodyBytes,
                maxHeaderBytes,
                idleTimeout,
                requestLimit,
                maxConnections,
                shared);
    }

    /// These settings with another limit on bodies.
    public HttpSettings withMaxBodyBytes(int bytes) {
        return new HttpSettings(
                host,
                port,
                bytes,
                maxHeaderBytes,
                idleTimeout,
                requestLimit,
                maxConnections,
                shared);
    }

    /// These settings with other timeouts: for connections on which nothing happens, and for requests on their way.
    public HttpSettings withTimeouts(Duration idle, Duration request) {
        return new HttpSettings(
                host, port, maxBodyBytes, maxHeaderBytes, idle, request, maxConnections, shared);
    }

    /// These settings with another limit on heads of requests.
    public HttpSettings withMaxHeaderBytes(int bytes) {
        return new HttpSettings(
                host, port, maxBodyBytes, bytes, idleTimeout, requestLimit, maxConnections, shared);
    }

    /// These settings with another limit on connections.
    public HttpSettings withMaxConnections(int connections) {
        return new HttpSettings(
                host,
                port,
                maxBodyBytes,
                maxHeaderBytes,
                idleTimeout,
                requestLimit,
                connections,
                shared);
    }

    /// These settings with other room for streams and waits.
    public HttpSettings withShared(SharedRoom other) {
        return new HttpSettings(
                host,
                port,
                maxBodyBytes,
                maxHeaderBytes,
                idleTimeout,
                requestLimit,
                maxConnections,
                other);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
