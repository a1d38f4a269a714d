package dev.artel.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/// The certificate that a command shows to an orchestrator over HTTPS, and its key, in two files. Commands mix it in.
final class CertificateOption {
    private static final String CERTIFICATE = "--client-certificate";
    private static final String KEY = "--client-key";

    private static final Pattern PEM_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END");

    @Option(
            names = CERTIFICATE,
            paramLabel = "FILE",
            description =
                    "the certificate (PEM, with its chain) to show to the orchestrator; else $ARTEL_CLIENT_CERTIFICATE")
    private Optional<Path> certificate = Optional.empty();

    @Option(
            names = KEY,
            paramLabel = "FILE",
            description = "the key of the certificate (PEM, plain PKCS#8); else $ARTEL_CLIENT_KEY")
    private Optional<Path> key = Optional.empty();

    /// The options that show the same certificate again.
    List<String> selection() {
        var all = new ArrayList<String>();
        certificate.ifPresent(file -> all.addAll(List.of(CERTIFICATE, file.toString())));
        key.ifPresent(file -> all.addAll(List.of(KEY, file.toString())));
        return all;
    }

    /// Speaks TLS with the certificate; empty if none is named.
    ///
    /// @throws CliFailure if one of the files is missing or of no use
    Optional<SSLContext> read(Map<String, String> environment) {
        var its =
                certificate.or(() ->
                        ProfileClient.variable(environment, "ARTEL_CLIENT_CERTIFICATE")
                                .map(Path::of));
        var secret =
                key.or(() -> ProfileClient.variable(environment, "ARTEL_CLIENT_KEY").map(Path::of));
        if (its.isPresent() != secret.isPresent()) {
            throw CliFailure.usage(
                    "a certificate and its key go together; name both, with "
                            + CERTIFICATE
                            + " and "
                            + KEY
                            + " or ARTEL_CLIENT_CERTIFICATE and ARTEL_CLIENT_KEY");
        }
        return its.flatMap(file -> secret.map(other -> context(file, other)));
    }

    private static SSLContext context(Path certificate, Path key) {
        try {
            var chain = chain(certificate);
            var keys = KeyStore.getInstance("PKCS12");
            keys.load(null, null);
            keys.setKeyEntry("artel", key(key, chain[0]), new char[0], chain);
            var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(keys, new char[0]);
            var context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException unusable) {
            throw CliFailure.usage(
                    "cannot use the certificate "
                            + certificate
                            + " with the key "
                            + key
                            + ": "
                            + unusable.getMessage());
        }
    }

    private static Certificate[] chain(Path file) throws GeneralSecurityException {
        var found =
                CertificateFactory.getInstance("X.509")
                        .generateCertificates(new ByteArrayInputStream(content(file)));
        if (found.isEmpty()) {
            throw CliFailure.usage("there is no certificate (PEM) in " + file);
        }
        return found.toArray(Certificate[]::new);
    }

    private static PrivateKey key(Path file, Certificate its) throws GeneralSecurityException {
        var pem = PEM_KEY.matcher(new String(content(file), StandardCharsets.US_ASCII));
        if (!pem.find()) {
            throw CliFailure.usage(
                    "there is no plain PKCS#8 key (BEGIN PRIVATE KEY) in "
                            + file
                            + "; make one with: openssl pkcs8 -topk8 -nocrypt -in KEY -out "
                            + file.getFileName());
        }
        try {
            return KeyFactory.getInstance(its.getPublicKey().getAlgorithm())
                    .generatePrivate(
                            new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1))));
        } catch (IllegalArgumentException | GeneralSecurityException wrong) {
            throw CliFailure.usage(
                    "the key in "
                            + file
                            + " cannot be read as one of the certificate's kind ("
                            + its.getPublicKey().getAlgorithm()
                            + ")");
        }
    }

    private static byte[] content(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw CliFailure.unreadable(file, unreadable);
        }
    }
}
