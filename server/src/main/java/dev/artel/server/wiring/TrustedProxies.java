package dev.artel.server.wiring;

import dev.artel.server.config.Network;
import java.net.InetSocketAddress;
import java.util.List;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.ForwardedRequestCustomizer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;

/// Believes what proxies say of a request, if they are known ones; what others say is nothing.
final class TrustedProxies implements HttpConfiguration.Customizer {
    private final List<Network> trusted;
    private final ForwardedRequestCustomizer forwarded = new ForwardedRequestCustomizer();

    TrustedProxies(List<String> trusted) {
        this.trusted = trusted.stream().map(Network::of).toList();
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var remote = request.getConnectionMetaData().getRemoteSocketAddress();
        var isTrusted =
                remote instanceof InetSocketAddress address
                        && address.getAddress() != null
                        && trusted.stream()
                                .anyMatch(network -> network.contains(address.getAddress()));
        if (!isTrusted) {
            return request;
        }
        try {
            return forwarded.customize(request, answer);
        } catch (IllegalArgumentException malformed) {
            throw new HttpException.RuntimeException(
                    400, "X-Forwarded-* headers cannot be read", malformed);
        }
    }
}
