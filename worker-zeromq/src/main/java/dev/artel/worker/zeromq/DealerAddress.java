package dev.artel.worker.zeromq;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What `zmq://host:5555?tasks=5556&results=5557` stands for.
///
/// @param http where large values are, over HTTP
/// @param curve how connections are encrypted; empty: they are not
record DealerAddress(
        URI uri,
        String host,
        Map<DealerPort, Integer> ports,
        Optional<URI> http,
        Optional<Curve> curve) {
    private static final String LIKE =
            "an address over ZeroMQ is like zmq://host or zmq://host:5555?tasks=5556&results=5557, was ";
    private static final int REGISTRATION = 5555;
    private static final int MOST = 65_535;
    private static final int KEY = 40;
    private static final Set<String> KNOWN =
            Set.of(
                    "tasks",
                    "results",
                    "http",
                    "server-key",
                    "public-key",
                    "secret-key",
                    "certificate");

    /// Keys of CURVE, 40 characters of Z85 each.
    ///
    /// @param own the public and the secret key of the worker; empty: a pair of its own for each process
    record Curve(String server, Optional<Pair> own) {
        record Pair(String publicKey, String secretKey) {
            @Override
            public String toString() {
                return publicKey;
            }
        }
    }

    DealerAddress {
        ports = Map.copyOf(ports);
    }

    /// @throws IllegalArgumentException if `uri` is none
    static DealerAddress of(URI uri) {
        if (uri.getHost() == null
                || (uri.getRawPath() != null && !uri.getRawPath().matches("/?"))) {
            throw new IllegalArgumentException(LIKE + withoutQuery(uri));
        }
        var query = query(uri);
        var registration = uri.getPort() < 0 ? REGISTRATION : uri.getPort();
        var ports = new EnumMap<DealerPort, Integer>(DealerPort.class);
        ports.put(DealerPort.REGISTRATION, registration);
        ports.put(DealerPort.TASKS, port(uri, query, "tasks", registration + 1));
        ports.put(DealerPort.RESULTS, port(uri, query, "results", registration + 2));
        return new DealerAddress(
                uri,
                uri.getHost(),
                ports,
                Optional.ofNullable(query.get("http")).map(URI::create),
                curve(uri, query));
    }

    /// What may be shown of an address: its query may have a secret key.
    private static String withoutQuery(URI uri) {
        return uri.toString().replaceFirst("\\?.*", "");
    }

    private static Map<String, String> query(URI uri) {
        var found = new LinkedHashMap<String, String>();
        if (uri.getRawQuery() == null) {
            return found;
        }
        for (var member : uri.getRawQuery().split("&", -1)) {
            var parts = member.split("=", 2);
            if (parts.length < 2 || !KNOWN.contains(parts[0])) {
                throw new IllegalArgumentException(
                        LIKE + withoutQuery(uri) + "; '" + parts[0] + "' is none of " + KNOWN);
            }
            found.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
        }
        return found;
    }

    private static int port(URI uri, Map<String, String> query, String name, int otherwise) {
        var text = query.getOrDefault(name, String.valueOf(otherwise));
        if (!text.matches("[0-9]{1,5}")
                || Integer.parseInt(text) < 1
                || Integer.parseInt(text) > MOST) {
            throw new IllegalArgumentException(
                    LIKE + withoutQuery(uri) + "; " + name + " is a port, was '" + text + "'");
        }
        return Integer.parseInt(text);
    }

    private static Optional<Curve> curve(URI uri, Map<String, String> query) {
        var server = query.get("server-key");
        var own = own(uri, query);
        if (server == null && own.isPresent()) {
            throw new IllegalArgumentException(
                    "the address "
                            + withoutQuery(uri)
                            + " has keys of the worker and no server-key, the public key of the orchestrator");
        }
        if (server == null) {
            return Optional.empty();
        }
        require(uri, "server-key", server);
        own.ifPresent(pair -> {
            require(uri, "public-key", pair.publicKey());
            require(uri, "secret-key", pair.secretKey());
        });
        return Optional.of(new Curve(server, own));
    }

    private static Optional<Curve.Pair> own(URI uri, Map<String, String> query) {
        var publicKey = query.get("public-key");
        var secretKey = query.get("secret-key");
        var certificate = query.get("certificate");
        if (certificate != null && (publicKey != null || secretKey != null)) {
            throw new IllegalArgumentException(
                    "the address "
                            + withoutQuery(uri)
                            + " has keys of the worker twice: certificate, and public-key or secret-key");
        }
        if (certificate != null) {
            return Optional.of(CertificateFile.read(Path.of(certificate)));
        }
        if ((publicKey == null) != (secretKey == null)) {
            throw new IllegalArgumentException(
                    "the address "
                            + withoutQuery(uri)
                            + " needs public-key and secret-key together or neither");
        }
        return publicKey == null || secretKey == null
                ? Optional.empty()
                : Optional.of(new Curve.Pair(publicKey, secretKey));
    }

    private static void require(URI uri, String name, String key) {
        if (key.length() != KEY) {
            throw new IllegalArgumentException(
                    "the address "
                            + withoutQuery(uri)
                            + " has a "
                            + name
                            + " of "
                            + key.length()
                            + " characters; a key of CURVE has "
                            + KEY
                            + " of Z85, percent-encoded where it is in a URI");
        }
    }

    int port(DealerPort port) {
        var number = ports.get(port);
        if (number == null) {
            throw new IllegalStateException("every socket has a port");
        }
        return number;
    }

    String endpoint(DealerPort port) {
        return "tcp://" + host + ":" + port(port);
    }

    /// Without the keys, for messages.
    @Override
    public String toString() {
        return "zmq://" + host + ":" + port(DealerPort.REGISTRATION);
    }
}
