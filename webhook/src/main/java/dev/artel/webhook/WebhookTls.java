package dev.artel.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/// Whose certificates are believed when receivers are called over TLS.
final class WebhookTls {
    private WebhookTls() {}

    /// What Java believes alone is read when it is asked for first, which takes a tenth of a second.
    ///
    /// @param file certificates (PEM) that are believed beside those that Java believes
    /// @throws Unusable if they cannot be read
    static Supplier<SSLContext> with(Optional<Path> file) {
        if (file.isEmpty()) {
            return WebhookTls::systemTrust;
        }
        var context = with(file.get());
        return () -> context;
    }

    private static SSLContext systemTrust() {
        try {
            return SSLContext.getDefault();
        } catch (GeneralSecurityException broken) {
            throw new Unusable("this Java has no TLS: " + broken.getMessage(), broken);
        }
    }

    private static SSLContext with(Path file) {
        try {
            var all = KeyStore.getInstance("PKCS12");
            all.load(null, null);
            var systemTrust = trusting(null);
            for (var manager : systemTrust.getTrustManagers()) {
                if (manager instanceof X509TrustManager known) {
                    for (var issuer : known.getAcceptedIssuers()) {
                        all.setCertificateEntry("default-" + all.size(), issuer);
                    }
                }
            }
            var own =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(
                                    new ByteArrayInputStream(Files.readAllBytes(file)));
            if (own.isEmpty()) {
                throw new Unusable("webhooks.trusted: there is no certificate (PEM) in " + file);
            }
            for (var certificate : own) {
                all.setCertificateEntry("own-" + all.size(), certificate);
            }
            var context = SSLContext.getInstance("TLS");
            context.init(null, trusting(all).getTrustManagers(), null);
            return context;
        } catch (IOException broken) {
            throw new Unusable(
                    "webhooks.trusted: cannot read "
                            + file
                            + " ("
                            + broken
                            + "); check the path and its permissions",
                    broken);
        } catch (GeneralSecurityException malformed) {
            throw new Unusable(
                    "webhooks.trusted: what is in "
                            + file
                            + " are no certificates in PEM ("
                            + malformed.getMessage()
                            + ")",
                    malformed);
        }
    }

    private static TrustManagerFactory trusting(@org.jspecify.annotations.Nullable KeyStore keys)
            throws GeneralSecurityException {
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        return trust;
    }
}
