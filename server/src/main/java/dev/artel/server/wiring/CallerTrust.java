package dev.artel.server.wiring;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// Which certificates of callers are good, by the authorities that are in force. A connection is older than these may be, so that each request
/// asks. Safe for use by many threads.
final class CallerTrust {
    /// So many certificates are remembered as good; those of one connection are asked for again and again.
    private static final int MOST = 10_000;

    private final X509TrustManager authorities;

    /// The certificates that were found good, and until when they are.
    private final Map<X509Certificate, Instant> good = new ConcurrentHashMap<>();

    private CallerTrust(X509TrustManager authorities) {
        this.authorities = authorities;
    }

    /// That of the certificates in `authorities`.
    ///
    /// @throws StartupException if they are of no use
    static CallerTrust of(KeyStore authorities) {
        try {
            var factory =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities);
            for (var manager : factory.getTrustManagers()) {
                if (manager instanceof X509TrustManager found) {
                    return new CallerTrust(found);
                }
            }
            throw new GeneralSecurityException("this Java judges no X.509 certificates");
        } catch (GeneralSecurityException e) {
            throw new StartupException("cannot use the authorities of callers (" + e + ")", e);
        }
    }

    /// Whether the certificate of a caller is good at `now`.
    ///
    /// @param chain as the caller has shown it, its own certificate first
    boolean includes(X509Certificate[] chain, Instant now) {
        var known = good.get(chain[0]);
        if (known != null) {
            return now.isBefore(known);
        }
        try {
            authorities.checkClientTrusted(chain, chain[0].getPublicKey().getAlgorithm());
        } catch (CertificateException notGood) {
            return false;
        }
        if (good.size() >= MOST) {
            good.clear();
        }
        var until =
                Arrays.stream(chain)
                        .map(each -> each.getNotAfter().toInstant())
                        .min(Instant::compareTo)
                        .orElseThrow();
        good.put(chain[0], until);
        return now.isBefore(until);
    }
}
