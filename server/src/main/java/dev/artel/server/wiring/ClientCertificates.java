package dev.artel.server.wiring;

import dev.artel.access.AccessControl;
import dev.artel.access.AccessControl.Certified;
import dev.artel.config.ProxySettings;
import dev.artel.gateway.access.WorkerAuthentication;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/// Judges requests by the certificates of their senders: one stands for the token of its worker or client, and one of another than the
/// token is refused. That of a known proxy is its own, and none of those whose requests it hands on.
final class ClientCertificates implements HttpConfiguration.Customizer {
    private static final String WORKER_TOKEN = "X-Worker-Token";
    private static final List<String> CLIENT_TOKENS =
            List.of("X-Client-Token", "X-Avtomatika-Token");
    private static final String BEARER = "Bearer ";
    private static final int DNS_NAME = 2;
    private static final X509Certificate[] NONE = {};

    /// Browsers send one of these. They show their certificate also for a page of elsewhere, so that it stands for nobody there; no page of elsewhere can have them send a token beside it.
    private static final List<String> OF_BROWSERS = List.of("Origin", "Sec-Fetch-Site", "Cookie");

    private final AccessControl access;
    private final WorkerAuthentication workers;
    private final String workerPaths;
    private final TrustedProxies proxies;
    private final Predicate<X509Certificate[]> areGood;

    /// @param workers judges tokens as the worker routes do
    /// @param areGood whether the certificates of a caller, its own first, are good by the authorities that are in force now
    ClientCertificates(
            AccessControl access,
            WorkerAuthentication workers,
            ProxySettings proxy,
            Predicate<X509Certificate[]> areGood) {
        this.areGood = areGood;
        this.access = access;
        this.workers = workers;
        this.workerPaths = proxy.basePath() + "/_worker/";
        this.proxies = new TrustedProxies(proxy);
    }

    @Override
    public Request customize(Request request, HttpFields.Mutable answer) {
        var chain = shown(request.getConnectionMetaData().getConnection().getEndPoint());
        if (chain.length == 0) {
            return request;
        }
        if (!areGood.test(chain)) {
            throw new HttpException.RuntimeException(
                    HttpStatus.FORBIDDEN_403,
                    "the certificate is good no longer: it has expired, or tls.client-authorities has its authority no more; connect with another one");
        }
        if (proxies.haveSent(request)) {
            return request;
        }
        var certificate = chain[0];
        var headers = request.getHeaders();
        var isWorker = Request.getPathInContext(request).startsWith(workerPaths);
        var token = token(headers, isWorker ? List.of(WORKER_TOKEN) : CLIENT_TOKENS);
        if (token == null && OF_BROWSERS.stream().anyMatch(headers::contains)) {
            return request;
        }
        var end = certificate.getNotAfter().toInstant();
        var certified =
                isWorker
                        ? access.certifiedWorker(names(certificate), end, token, workers)
                        : access.certifiedClient(names(certificate), end, token);
        return switch (certified) {
            case Certified.AsItIs() -> request;
            case Certified.With(var its) -> with(request, its);
            case Certified.Refused(var detail) ->
                    throw new HttpException.RuntimeException(HttpStatus.FORBIDDEN_403, detail);
        };
    }

    /// The certificates that the peer of a connection has shown, its own first; empty: none.
    static X509Certificate[] shown(EndPoint connection) {
        var tls = connection.getSslSessionData();
        var chain = tls == null ? null : tls.peerCertificates();
        return chain == null ? NONE : chain;
    }

    private static @Nullable String token(HttpFields headers, List<String> ofOld) {
        var authorization = headers.get(HttpHeader.AUTHORIZATION);
        if (authorization != null
                && authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())) {
            return authorization.substring(BEARER.length()).strip();
        }
        return ofOld.stream()
                .map(headers::get)
                .filter(token -> token != null)
                .findFirst()
                .orElse(null);
    }

    /// The common name, then the names of hosts.
    private static List<String> names(X509Certificate certificate) {
        var names = new ArrayList<String>();
        try {
            for (var part :
                    new LdapName(certificate.getSubjectX500Principal().getName())
                            .getRdns()
                            .reversed()) {
                if (part.getType().equalsIgnoreCase("CN")) {
                    names.add(String.valueOf(part.getValue()));
                    break;
                }
            }
            var others = certificate.getSubjectAlternativeNames();
            if (others != null) {
                others.stream()
                        .filter(other -> Integer.valueOf(DNS_NAME).equals(other.getFirst()))
                        .forEach(other -> names.add(String.valueOf(other.get(1))));
            }
        } catch (InvalidNameException | CertificateParsingException _) {
            // what cannot be read names nobody
        }
        return names;
    }

    private static Request with(Request request, String token) {
        var headers = HttpFields.build(request.getHeaders());
        headers.remove(WORKER_TOKEN);
        CLIENT_TOKENS.forEach(headers::remove);
        headers.put(HttpHeader.AUTHORIZATION, BEARER + token);
        var all = headers.asImmutable();
        return new Request.Wrapper(request) {
            @Override
            public HttpFields getHeaders() {
                return all;
            }
        };
    }
}
