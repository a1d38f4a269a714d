package dev.artel.server.wiring;

import dev.artel.config.TlsSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.regex.Pattern;

/// Reads a certificate and its key.
final class Certificates {
    private static final Pattern PEM_KEY =
            Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END");

    private Certificates() {}

    /// The certificate chain of the orchestrator with its key.
    ///
    /// @param expires when the first certificate of the chain does
    record Chain(KeyStore keys, Instant expires) {}

    /// Reads the files.
    ///
    /// @throws StartupException if they are of no use at the time `now`
    static Chain read(TlsSettings settings, Instant now) {
        var file = settings.certificate();
        try {
            var chain = chain(file);
            var own = (X509Certificate) chain[0];
            if (own.getNotAfter().toInstant().isBefore(now)) {
                throw new StartupException(
                        "the certificate in "
                                + file
                                + " expired at "
                                + own.getNotAfter().toInstant()
                                + "; put a new one there",
                        null);
            }
            if (own.getNotBefore().toInstant().isAfter(now)) {
                throw new StartupException(
                        "the certificate in "
                                + file
                                + " is valid from "
                                + own.getNotBefore().toInstant()
                                + " on and it is "
                                + now
                                + "; check the clock, or put another one there",
                        null);
            }
            var key = key(settings.key(), own.getPublicKey());
            requireMatch(settings, key, own.getPublicKey());
            var keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("artel", key, new char[0], chain);
            return new Chain(keys, own.getNotAfter().toInstant());
        } catch (IOException e) {
            throw new StartupException(
                    "cannot read the TLS files "
                            + file
                            + " and "
                            + settings.key()
                            + " ("
                            + e
                            + "); check tls.certificate, tls.key and their permissions",
                    e);
        } catch (GeneralSecurityException e) {
            throw new StartupException("cannot use the certificate in " + file + " (" + e + ")", e);
        }
    }

    /// Those of the authorities in `file` that sign the certificates of callers.
    ///
    /// @throws StartupException if there is none
    static KeyStore authorities(Path file) {
        try {
            var trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            var all = chain(file);
            for (var i = 0; i < all.length; i++) {
                trusted.setCertificateEntry("authority-" + i, all[i]);
            }
            return trusted;
        } catch (IOException e) {
            throw new StartupException(
                    "cannot read the authorities of callers in "
                            + file
                            + " ("
                            + e
                            + "); check tls.client-authorities and its permissions",
                    e);
        } catch (GeneralSecurityException e) {
            throw new StartupException(
                    "cannot use the authorities of callers in " + file + " (" + e + ")", e);
        }
    }

    private static Certificate[] chain(Path file) throws IOException, GeneralSecurityException {
        var found =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
        if (found.isEmpty()) {
            throw new StartupException("there is no certificate (PEM) in " + file, null);
        }
        return found.toArray(Certificate[]::new);
    }

    private static PrivateKey key(Path file, PublicKey its)
            throws IOException, GeneralSecurityException {
        var pem = PEM_KEY.matcher(Files.readString(file, StandardCharsets.US_ASCII));
        if (!pem.find() || !pem.group(1).equals("PRIVATE KEY")) {
            throw new StartupException(
                    "there is no plain PKCS#8 key (BEGIN PRIVATE KEY) in "
                            + file
                            + "; make one with: openssl pkcs8 -topk8 -nocrypt -in KEY -out "
                            + file.getFileName(),
                    null);
        }
        try {
            var bytes = Base64.getMimeDecoder().decode(pem.group(2));
            return KeyFactory.getInstance(its.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            throw new StartupException(
                    "the key in "
                            + file
                            + " cannot be read as one of the certificate's kind ("
                            + its.getAlgorithm()
                            + ")",
                    e);
        }
    }

    private static void requireMatch(TlsSettings settings, PrivateKey key, PublicKey its)
            throws GeneralSecurityException {
        var kind =
                switch (its.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> its.getAlgorithm();
                };
        var words = "artel".getBytes(StandardCharsets.US_ASCII);
        var signing = Signature.getInstance(kind);
        signing.initSign(key);
        signing.update(words);
        var proving = Signature.getInstance(kind);
        proving.initVerify(its);
        proving.update(words);
        if (!proving.verify(signing.sign())) {
            throw new StartupException(
                    "the key in "
                            + settings.key()
                            + " does not belong to the certificate in "
                            + settings.certificate(),
                    null);
        }
    }
}
