package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.TestCertificate;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CallerTrustTest {
    @TempDir private Path folder;

    private static X509Certificate[] shown(TestCertificate certificate) throws Exception {
        return new X509Certificate[] {
            (X509Certificate)
                    CertificateFactory.getInstance("X.509")
                            .generateCertificate(
                                    new ByteArrayInputStream(
                                            Files.readAllBytes(certificate.certificate())))
        };
    }

    @Test
    void aCertificate_isGoodByTheAuthoritiesInForce_untilItEnds() throws Exception {
        var gpu = TestCertificate.make(folder, "gpu-1", "-1d", 30);
        var other = TestCertificate.make(folder, "gpu-2", "-1d", 30);
        var trust = CallerTrust.of(Certificates.authorities(gpu.certificate()));
        var chain = shown(gpu);
        var now = Instant.now();

        // Again, from what it remembers.
        assertThat(trust.includes(chain, now)).isTrue();
        assertThat(trust.includes(chain, now)).isTrue();
        assertThat(trust.includes(chain, chain[0].getNotAfter().toInstant())).isFalse();
        assertThat(trust.includes(shown(other), now)).isFalse();
        assertThat(
                        CallerTrust.of(Certificates.authorities(other.certificate()))
                                .includes(chain, now))
                .isFalse();
    }
}
