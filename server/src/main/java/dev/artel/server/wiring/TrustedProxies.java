package dev.artel.server.wiring;

import dev.artel.config.Network;
import dev.artel.config.ProxySettings;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// Believes what proxies state about a request, if they are known ones; what others state is ignored. Each proxy adds at the right
/// what it saw: of all hops the right-most one that is no known proxy is the client, and what stands left of it is the
/// client's own word. The header `Forwarded` is read only where the settings ask for it, since most proxies hand on that of
/// the client as it is.
final class TrustedProxies implements HttpConfiguration.Customizer {
    private static final Pattern COMMA = Pattern.compile("\\s*,\\s*");
    private static final Pattern ADDRESS = Pattern.compile("[0-9a-fA-F.:]+");

    private final List<Network> trusted;
    private final boolean forwarded;
    private final ForwardedRequestCustomizer customizer = new ForwardedRequestCustomizer();

    TrustedProxies(ProxySettings settings) {
        this.trusted = settings.trusted().stream().map(Network::of).toList();
        this.forwarded = settings.forwarded();
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        if (!haveSent(request)) {
            return request;
        }
        try {
            return customizer.customize(
                    new ForwardedRequest(request, believed(request.getHeaders())), answer);
        } catch (IllegalArgumentException malformed) {
            throw new HttpException.RuntimeException(
                    400, "X-Forwarded-* headers cannot be read", malformed);
        }
    }

    /// Whether `request` came over the connection of one of them.
    boolean haveSent(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress()
                        instanceof InetSocketAddress address
                && address.getAddress() != null
                && isTrusted(address.getAddress());
    }

    private boolean isTrusted(java.net.InetAddress address) {
        return trusted.stream().anyMatch(network -> network.contains(address));
    }

    private HttpFields believed(HttpFields headers) {
        var believed = HttpFields.build(headers);
        if (forwarded) {
            keep(believed, HttpHeader.FORWARDED, last(headers, HttpHeader.FORWARDED));
        } else {
            believed.remove(HttpHeader.FORWARDED);
        }
        keep(believed, HttpHeader.X_FORWARDED_FOR, client(headers));
        keep(believed, HttpHeader.X_FORWARDED_HOST, last(headers, HttpHeader.X_FORWARDED_HOST));
        keep(believed, HttpHeader.X_FORWARDED_PROTO, last(headers, HttpHeader.X_FORWARDED_PROTO));
        return believed;
    }

    private static void keep(HttpFields.Mutable headers, HttpHeader name, @Nullable String value) {
        if (value == null) {
            headers.remove(name);
        } else {
            headers.put(name, value);
        }
    }

    private static List<String> hops(HttpFields headers, HttpHeader name) {
        return headers.getValuesList(name).stream()
                .flatMap(COMMA::splitAsStream)
                .map(String::strip)
                .filter(hop -> !hop.isEmpty())
                .toList();
    }

    private static @Nullable String last(HttpFields headers, HttpHeader name) {
        var hops = hops(headers, name);
        return hops.isEmpty() ? null : hops.getLast();
    }

    /// The right-most hop that is no proxy of ours; the left-most one if all are.
    private @Nullable String client(HttpFields headers) {
        var hops = hops(headers, HttpHeader.X_FORWARDED_FOR);
        for (var hop : hops.reversed()) {
            if (!isProxy(hop)) {
                return hop;
            }
        }
        return hops.isEmpty() ? null : hops.getFirst();
    }

    private boolean isProxy(String hop) {
        if (!ADDRESS.matcher(hop).matches()) {
            return false;
        }
        try {
            return isTrusted(java.net.InetAddress.ofLiteral(hop));
        } catch (IllegalArgumentException noAddress) {
            return false;
        }
    }

    private static final class ForwardedRequest extends Request.Wrapper {
        private final HttpFields headers;

        ForwardedRequest(Request request, HttpFields headers) {
            super(request);
            this.headers = headers;
        }

        @Override
        public HttpFields getHeaders() {
            return headers;
        }
    }
}
