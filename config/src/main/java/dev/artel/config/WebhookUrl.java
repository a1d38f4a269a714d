package dev.artel.config;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where a webhook is called.
public final class WebhookUrl {
    private static final int LONGEST = 2_000;
    private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+|0[xX].*");

    private WebhookUrl() {}

    /// What is wrong with `text` as the URL of a webhook, as far as that shows without a look-up; empty if
    /// nothing is. The address behind its name is looked at with each call.
    public static Optional<String> problem(String text, WebhookSettings settings) {
        if (text.length() > LONGEST) {
            return Optional.of("it must have at most " + LONGEST + " characters");
        }
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException malformed) {
            return Optional.of("it is no URL: " + malformed.getReason());
        }
        var scheme = url.getScheme();
        if (scheme == null
                || !(scheme.equalsIgnoreCase("https") || scheme.equalsIgnoreCase("http"))
                || url.getHost() == null) {
            return Optional.of("it must look like https://example.com/path");
        }
        if (scheme.equalsIgnoreCase("http") && !settings.allowHttp()) {
            return Optional.of(
                    "it must begin with https://; plain HTTP has to be allowed with"
                            + " webhooks.allow-http");
        }
        if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
            return Optional.of("it must have no user name, password or fragment");
        }
        if (url.getPort() == 0 || url.getPort() > 65_535) {
            return Optional.of("its port must be from 1 to 65535");
        }
        return literal(url.getHost()).flatMap(address -> problem(address, settings));
    }

    /// `url` as others than the caller see it: a query may have a token of the receiver, and is hidden.
    public static String shown(String url) {
        var query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query) + "?***";
    }

    private static Optional<InetAddress> literal(String host) {
        if (host.equalsIgnoreCase("localhost") || host.endsWith(".localhost")) {
            return Optional.of(InetAddress.getLoopbackAddress());
        }
        if (!LITERAL.matcher(host).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(host));
        } catch (UnknownHostException noLiteral) {
            return Optional.empty();
        }
    }

    /// Why `address` must not be called; empty if it may.
    public static Optional<String> problem(InetAddress address, WebhookSettings settings) {
        return PublicAddresses.contain(address) || settings.allows(address)
                ? Optional.empty()
                : Optional.of(
                        "its address "
                                + address.getHostAddress()
                                + " is not public; an operator may allow its network with"
                                + " webhooks.allow-private");
    }
}
