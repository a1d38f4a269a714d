package dev.artel.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A self-signed certificate for 127.0.0.1, made by the JDK's own tool.
public record TestCertificate(Path certificate, Path key) {
    private static final char[] PASSWORD = "for-tests-only".toCharArray();

    /// A certificate for `name`, made by the keytool of the JDK.
    ///
    /// @param begin as the tool takes it: `-10d`
    public static TestCertificate make(Path folder, String name, String begin, int days)
            throws Exception {
        var store = folder.resolve(name + ".p12");
        var tool =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                                .toString(),
                                        "-genkeypair",
                                        "-alias",
                                        "a",
                                        "-keyalg",
                                        "EC",
                                        "-dname",
                                        "CN=" + name,
                                        "-ext",
                                        "san=ip:127.0.0.1",
                                        "-startdate",
                                        begin,
                                        "-validity",
                                        Integer.toString(days),
                                        "-keystore",
                                        store.toString(),
                                        "-storepass",
                                        new String(PASSWORD)))
                        .redirectErrorStream(true)
                        .start();
        var output = new String(tool.getInputStream().readAllBytes(), UTF_8);
        if (tool.waitFor() != 0) {
            throw new IOException(output);
        }
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        return new TestCertificate(
                write(
                        folder.resolve(name + ".pem"),
                        "CERTIFICATE",
                        keys.getCertificate("a").getEncoded()),
                write(
                        folder.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey("a", PASSWORD).getEncoded()));
    }

    private static Path write(Path file, String kind, byte[] content) throws IOException {
        return Files.writeString(
                file,
                "-----BEGIN "
                        + kind
                        + "-----\n"
                        + Base64.getMimeEncoder().encodeToString(content)
                        + "\n-----END "
                        + kind
                        + "-----\n");
    }

    /// Shows this certificate to those who call.
    public SSLContext serving() throws Exception {
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys(), PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), null, null);
        return context;
    }

    /// Shows this certificate to `other`, and trusts it alone.
    public SSLContext calling(TestCertificate other) throws Exception {
        var own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys(), PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), other.trust().getTrustManagers(), null);
        return context;
    }

    private KeyStore keys() throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        try (InputStream in =
                Files.newInputStream(
                        certificate.resolveSibling(
                                certificate.getFileName().toString().replace(".pem", ".p12")))) {
            keys.load(in, PASSWORD);
        }
        return keys;
    }

    /// Trusts this certificate alone.
    public SSLContext trusting() throws Exception {
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust().getTrustManagers(), null);
        return context;
    }

    private TrustManagerFactory trust() throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        try (InputStream in = Files.newInputStream(certificate)) {
            keys.setCertificateEntry(
                    "a",
                    java.security.cert.CertificateFactory.getInstance("X.509")
                            .generateCertificate(in));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(keys);
        return trust;
    }
}
