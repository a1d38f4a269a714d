package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.config.ActionHosts;
import dev.artel.config.GuardedExchange;
import dev.artel.config.NamedSecret;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ForeignJson;
import dev.artel.json.text.MalformedJson;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/// `http_request`: one request and its answer. A status from 400 on is a failure unless `accept_status` names it: of 408, 425, 429
/// and 5xx another attempt may succeed, of the others none.
final class HttpRequestAction implements BuiltInAction, AutoCloseable {
    private static final int MOST_REDIRECTS = 5;
    private static final double LONGEST_SECONDS = 300;
    private static final int LONGEST_QUOTE = 300;
    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

    /// The client sets them, or proxies do; with another one the request would go to another host behind an allowed name, come from another address, or be
    /// read as several.
    private static final Set<String> OF_THE_CONNECTION =
            Set.of(
                    "connection",
                    "content-length",
                    "expect",
                    "forwarded",
                    "host",
                    "keep-alive",
                    "proxy-authorization",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "transfer-encoding",
                    "upgrade",
                    "x-host",
                    "x-original-host",
                    "x-real-ip");

    private static final String FORWARDED = "x-forwarded-";

    /// What goes on with a redirect to another origin. Any other may be a secret, such as `X-Api-Key`.
    private static final Set<String> FOR_ANY_HOST =
            Set.of("accept", "accept-language", "content-language", "content-type", "user-agent");

    /// The parameters that may name secrets.
    static final Set<String> SECRETS = Set.of("url", "headers", "query", "body");

    /// What is not so of a body that was unpacked.
    private static final Set<String> OF_THE_PACKED_BODY =
            Set.of("content-encoding", "content-length", "content-md5");

    private static final Set<Integer> FOR_NOW = Set.of(408, 425, 429);

    private static final JsonValue NO_BODY = new JsonString("");

    private final ActionHosts hosts;
    private final int maxBytes;
    private final GuardedRequests requests;

    /// @param most how many requests there are at once
    HttpRequestAction(ActionHosts hosts, int maxBytes, int most) {
        this.hosts = hosts;
        this.maxBytes = maxBytes;
        requests = new GuardedRequests(hosts, most);
    }

    /// @param location where a redirect leads; empty for none
    private record Answer(int status, JsonObject headers, JsonValue body, String location) {
        /// What is shown of it; where it leads is followed.
        Answer without(Redaction secrets) {
            return new Answer(status, secrets.object(headers), secrets.value(body), location);
        }

        /// Whether the request goes on where it leads.
        boolean isFollowed(Set<Integer> accepted) {
            return REDIRECTS.contains(status) && !location.isEmpty() && !accepted.contains(status);
        }

        Answer withBody(JsonValue other) {
            return new Answer(status, headers, other, location);
        }
    }

    /// An answer as it was read.
    private static final class Received {
        private final Answer head;
        private final byte @Nullable [] body;
        private final @Nullable ContentType type;

        /// @param body null for none
        /// @param type of the body; null if it is not stated
        Received(Answer head, byte @Nullable [] body, @Nullable ContentType type) {
            this.head = head;
            this.body = body;
            this.type = type;
        }

        /// With its body as a value, once there is room for it.
        Answer answer(ReadRoom.Reading reading) {
            if (body == null) {
                return head;
            }
            reading.await(body);
            return head.withBody(value(body));
        }

        private JsonValue value(byte[] bytes) {
            if (type != null && type.getMimeType().matches("application/([^;]*\\+)?json")) {
                try {
                    return ForeignJson.read(bytes);
                } catch (MalformedJson malformed) {
                    return text(bytes);
                }
            }
            return text(bytes);
        }

        private JsonValue text(byte[] bytes) {
            var charset = type == null || type.getCharset() == null ? UTF_8 : type.getCharset();
            return new JsonString(new String(bytes, charset));
        }
    }

    @Override
    public JsonObject run(JsonObject input, ReadRoom.Reading reading) throws IOException {
        return run(SecretParams.of(input), Map.of(), Redaction.NONE, reading);
    }

    /// Sends a request with secrets to a host to which all of them may go.
    ///
    /// @param secrets all that `named` names
    /// @param redaction hides them
    /// @param reading has room for the answer
    JsonObject run(
            SecretParams named,
            Map<String, NamedSecret> secrets,
            Redaction redaction,
            ReadRoom.Reading reading)
            throws IOException {
        var params =
                new ActionParams("http_request", named.resolved(secrets))
                        .knowing(
                                "url",
                                "method",
                                "headers",
                                "query",
                                "body",
                                "timeout",
                                "accept_status");
        var method =
                params.word(
                        "method", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE",
                        "OPTIONS");
        var accepted = accepted(params);
        var limit =
                Duration.ofMillis(
                        (long) (1000 * params.number("timeout", 0.1, LONGEST_SECONDS, 30)));
        var url = url(params);
        var origin = url;
        requireAllowed(url, secrets.values());
        var bodySecrets =
                named.under("/body").stream()
                        .map(name -> Objects.requireNonNull(secrets.get(name), name))
                        .toList();
        var wasEncrypted = false;
        for (var hop = 0; ; hop++) {
            var isOwnHost = isSameOrigin(url, origin);
            var request = request(params, named, method, url, isOwnHost);
            if (request.getEntity() != null) {
                requireAllowed(url, bodySecrets);
                requireNoDowngrade(url, wasEncrypted, "the body", bodySecrets);
            }
            wasEncrypted |= isEncrypted(url);
            Answer answer;
            try {
                answer =
                        requests.send(
                                        reading.owner(),
                                        request,
                                        limit,
                                        (it, exchange) -> read(it, accepted, exchange))
                                .answer(reading)
                                .without(redaction);
            } catch (IOException broken) {
                throw new IOException(
                        "http_request: no answer to "
                                + method
                                + " "
                                + shown(url)
                                + ": "
                                + broken.getMessage(),
                        broken);
            }
            if (answer.isFollowed(accepted)) {
                if (hop == MOST_REDIRECTS) {
                    throw new PermanentFailure(
                            "http_request: "
                                    + shown(origin)
                                    + " redirects more than "
                                    + MOST_REDIRECTS
                                    + " times");
                }
                url = checked(url.resolve(answer.location()).toString(), true);
                // Many servers lead to the same path and query elsewhere.
                var repeated = writtenIn(url.toString(), secrets.values());
                requireAllowed(url, repeated);
                requireNoDowngrade(url, wasEncrypted, "its address", repeated);
                method =
                        answer.status() == 307 || answer.status() == 308 || method.equals("HEAD")
                                ? method
                                : "GET";
                continue;
            }
            return result(method, url, answer, accepted);
        }
    }

    private static void requireAllowed(URI url, Collection<NamedSecret> secrets) {
        for (var secret : secrets) {
            if (!secret.hosts().allow(url.getHost(), port(url))) {
                throw new PermanentFailure(
                        "http_request: the secret '"
                                + secret.name()
                                + "' may not go to "
                                + url.getHost()
                                + ":"
                                + port(url)
                                + "; its hosts are "
                                + secret.hosts()
                                + " (secrets.toml)");
            }
            if (!isEncrypted(url)
                    && !isLoopback(url.getHost())
                    && !secret.hosts().haveWithPort(url.getHost(), port(url))) {
                throw new PermanentFailure(
                        "http_request: the secret '"
                                + secret.name()
                                + "' may not go to "
                                + url.getHost()
                                + ":"
                                + port(url)
                                + " over plain http; use https, or have an operator add "
                                + url.getHost()
                                + ":"
                                + port(url)
                                + " to its hosts (secrets.toml)");
            }
        }
    }

    private static List<NamedSecret> writtenIn(String text, Collection<NamedSecret> secrets) {
        return secrets.stream()
                .filter(each -> !Redaction.of(List.of(each.value())).text(text).equals(text))
                .toList();
    }

    /// What was encrypted on its way to one host is not sent on in clear by a redirect.
    ///
    /// @param wasEncrypted whether a hop before was
    /// @param where what the secrets are in
    static void requireNoDowngrade(
            URI url, boolean wasEncrypted, String where, Collection<NamedSecret> secrets) {
        if (wasEncrypted && !isEncrypted(url) && !secrets.isEmpty()) {
            throw new PermanentFailure(
                    "http_request: a redirect leads from https to plain http at "
                            + url.getHost()
                            + ":"
                            + port(url)
                            + ", and "
                            + where
                            + " has the secret '"
                            + secrets.iterator().next().name()
                            + "'; use a URL whose redirects stay at https");
        }
    }

    private static boolean isEncrypted(URI url) {
        return url.getScheme().equalsIgnoreCase("https");
    }

    /// Names that may have another address are none, but for the one that has a loopback address everywhere (RFC 6761).
    private static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost")
                || host.equals("[::1]")
                || host.matches("127(\\.[0-9]{1,3}){3}");
    }

    /// Scheme, host and port are the same (RFC 6454).
    private static boolean isSameOrigin(URI one, URI other) {
        return one.getScheme().equalsIgnoreCase(other.getScheme())
                && one.getHost().equalsIgnoreCase(other.getHost())
                && port(one) == port(other);
    }

    private static int port(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return isEncrypted(url) ? 443 : 80;
    }

    private static Set<Integer> accepted(ActionParams params) {
        return params
                .value("accept_status")
                .map(value ->
                        switch (value) {
                            case JsonNumber number -> JsonArray.of(number);
                            case JsonArray array -> array;
                            default ->
                                    throw params.wrong(
                                            "accept_status", "a status or several", value);
                        })
                .orElse(JsonArray.EMPTY)
                .stream()
                .map(value -> {
                    if (value instanceof JsonNumber number && number.isLong()) {
                        return (int) number.asLong();
                    }
                    throw params.wrong("accept_status", "a status or several", value);
                })
                .collect(Collectors.toSet());
    }

    private URI url(ActionParams params) {
        var text = params.requiredText("url");
        var query =
                params.object("query").members().entrySet().stream()
                        .map(entry ->
                                encoded(entry.getKey()) + "=" + encoded(text(entry.getValue())))
                        .collect(Collectors.joining("&"));
        return checked(
                query.isEmpty() ? text : text + (text.contains("?") ? "&" : "?") + query, false);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString(var text) ? text : value.toString();
    }

    private URI checked(String text, boolean isRedirect) {
        var whose =
                "http_request: "
                        + (isRedirect ? "the address of a redirect" : "the parameter 'url'");
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException malformed) {
            // The exception has the text, which may be a secret: it is no cause of this one.
            throw new InvalidInput(
                    whose
                            + " is no URL: "
                            + malformed.getReason()
                            + " at character "
                            + malformed.getIndex());
        }
        var scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if (!Set.of("http", "https").contains(scheme)
                || url.getHost() == null
                || url.getRawUserInfo() != null) {
            throw new InvalidInput(
                    whose + " must look like https://example.com/path and have no user name");
        }
        var port = port(url);
        if (!hosts.allow(url.getHost(), port)) {
            throw new InvalidInput(
                    "http_request may not reach "
                            + url.getHost()
                            + ":"
                            + port
                            + "; an operator allows hosts with actions.http-hosts, which has "
                            + hosts);
        }
        return url;
    }

    /// Without what may be secret in it.
    private static String shown(URI url) {
        return url.toString().replaceFirst("[?#].*", "").replaceFirst("//[^/@]*@", "//");
    }

    /// Some servers take `_` for `-`.
    private static boolean isOfTheConnection(String lower) {
        var name = lower.replace('_', '-');
        return OF_THE_CONNECTION.contains(name) || name.startsWith(FORWARDED);
    }

    private static HttpUriRequestBase request(
            ActionParams params, SecretParams named, String method, URI url, boolean isOwnHost) {
        var request = new HttpUriRequestBase(method, url);
        request.setHeader(HttpHeaders.ACCEPT_ENCODING, "gzip");
        params.object("headers")
                .members()
                .forEach((name, value) -> {
                    if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")
                            || text(value).matches("(?s).*[\\r\\n\\x00].*")) {
                        throw params.wrong(
                                "headers",
                                "an object with names and values of HTTP headers",
                                "one with a name or a value that is none");
                    }
                    var lower = name.toLowerCase(Locale.ROOT);
                    if (isOfTheConnection(lower)) {
                        throw new InvalidInput(
                                "http_request may not set the header "
                                        + name
                                        + ": it follows from the URL, the body and the connection");
                    }
                    // What is meant for one host is not sent on to another.
                    if (isOwnHost || (FOR_ANY_HOST.contains(lower) && !named.hasHeader(name))) {
                        request.setHeader(name, text(value));
                    }
                });
        if (!Set.of("GET", "HEAD", "OPTIONS").contains(method)) {
            params.value("body")
                    .ifPresent(body -> {
                        var type =
                                body instanceof JsonString
                                        ? ContentType.TEXT_PLAIN.withCharset(UTF_8)
                                        : ContentType.APPLICATION_JSON;
                        var own = request.getFirstHeader(HttpHeaders.CONTENT_TYPE);
                        request.setEntity(
                                new ByteArrayEntity(
                                        FileStorageAction.bytes(body), own == null ? type : null));
                    });
        }
        return request;
    }

    /// No action uses the body of a redirect that is followed: it is not read, and has no room while the request goes on elsewhere.
    private Received read(
            ClassicHttpResponse answer, Set<Integer> accepted, GuardedExchange exchange)
            throws IOException {
        var encodings = encodings(answer);
        var isUnpacked = encodings.size() == 1 && PackedBody.isKnown(encodings.getFirst());
        var headers = JsonObject.builder();
        for (var header : answer.getHeaders()) {
            var name = header.getName().toLowerCase(Locale.ROOT);
            if (!isUnpacked || !OF_THE_PACKED_BODY.contains(name)) {
                headers.put(name, String.valueOf(header.getValue()));
            }
        }
        var location = answer.getFirstHeader(HttpHeaders.LOCATION);
        var head =
                new Answer(
                        answer.getCode(),
                        headers.build(),
                        NO_BODY,
                        location == null ? "" : location.getValue());
        var entity = answer.getEntity();
        if (entity == null || head.isFollowed(accepted)) {
            return new Received(head, null, null);
        }
        if (encodings.size() > 1 && encodings.stream().allMatch(PackedBody::isKnown)) {
            throw new PermanentFailure(
                    "http_request: the answer is packed "
                            + encodings.size()
                            + " times (Content-Encoding); one that is packed once is unpacked");
        }
        exchange.expect(maxBytes);
        // To close the content reads what is left of it, however much that is.
        var body = entity.getContent().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            throw tooLarge();
        }
        if (isUnpacked) {
            body =
                    PackedBody.unpacked(encodings.getFirst(), body, maxBytes)
                            .orElseThrow(this::tooLarge);
        }
        return new Received(head, body, ContentType.parseLenient(entity.getContentType()));
    }

    private static List<String> encodings(ClassicHttpResponse answer) {
        return Stream.of(answer.getHeaders(HttpHeaders.CONTENT_ENCODING))
                .flatMap(header -> Stream.of(String.valueOf(header.getValue()).split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .filter(name -> !name.isEmpty() && !name.equals("identity"))
                .toList();
    }

    private PermanentFailure tooLarge() {
        return new PermanentFailure(
                "http_request: the answer has more than "
                        + maxBytes
                        + " bytes (actions.max-bytes)");
    }

    private static JsonObject result(String method, URI url, Answer answer, Set<Integer> accepted)
            throws IOException {
        if (answer.status() >= 400 && !accepted.contains(answer.status())) {
            var text = text(answer.body());
            var message =
                    "http_request: "
                            + method
                            + " "
                            + shown(url)
                            + " was answered with "
                            + answer.status()
                            + ": "
                            + (text.length() <= LONGEST_QUOTE
                                    ? text
                                    : text.substring(0, LONGEST_QUOTE) + "...");
            if (answer.status() >= 500 || FOR_NOW.contains(answer.status())) {
                throw new IOException(message);
            }
            throw new PermanentFailure(message);
        }
        return JsonObject.builder()
                .put("status", (long) answer.status())
                .put("headers", answer.headers())
                .put("body", answer.body())
                .build();
    }

    @Override
    public void close() {
        requests.close();
    }
}
