package dev.artel.server.wiring;

import dev.artel.config.TlsSettings;
import dev.artel.kernel.store.VerifiedBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// TLS 1.2 and 1.3 with a certificate that can be exchanged while the orchestrator runs.
final class Tls {
    private static final Logger LOG = LoggerFactory.getLogger(Tls.class);
    private static final Duration SOON = Duration.ofDays(14);

    private final TlsSettings settings;
    private final InstantSource clock;
    private final SslContextFactory.Server context = new SslContextFactory.Server();
    private volatile String inForce;
    private volatile Optional<CallerTrust> callers = Optional.empty();
    private volatile String authorities;

    /// @throws StartupException if the certificate is of no use
    Tls(TlsSettings settings, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        var chain = Certificates.read(settings, clock.instant());
        use(context, chain);
        settings.callers()
                .ifPresent(asked -> {
                    var trusted = Certificates.authorities(asked.authorities());
                    context.setTrustStore(trusted);
                    context.setNeedClientAuth(asked.areRequired());
                    context.setWantClientAuth(!asked.areRequired());
                    callers = Optional.of(CallerTrust.of(trusted));
                });
        context.setIncludeProtocols("TLSv1.2", "TLSv1.3");
        context.setRenegotiationAllowed(false);
        warn(chain.expires());
        inForce = mark();
        authorities = markOfAuthorities();
    }

    /// The same as long as the files are, as far as they are in force.
    String inForce() {
        return inForce;
    }

    /// The same as long as the file of the authorities of callers is, as far as it is in force.
    String authorities() {
        return authorities;
    }

    /// Whether the certificate of a caller is good by the authorities that are in force.
    ///
    /// @param chain as the caller has shown it, its own certificate first
    boolean isGood(X509Certificate[] chain) {
        return callers.filter(trust -> trust.includes(chain, clock.instant())).isPresent();
    }

    private String markOfAuthorities() {
        try {
            return settings.callers().isPresent()
                    ? VerifiedBytes.digestOf(
                            Files.readAllBytes(settings.callers().get().authorities()))
                    : "";
        } catch (IOException gone) {
            return "unreadable: " + gone;
        }
    }

    private String mark() {
        try {
            return VerifiedBytes.digestOf(Files.readAllBytes(settings.certificate()))
                    + VerifiedBytes.digestOf(Files.readAllBytes(settings.key()))
                    + markOfAuthorities();
        } catch (IOException gone) {
            return "unreadable: " + gone;
        }
    }

    private static void use(SslContextFactory factory, Certificates.Chain chain) {
        factory.setKeyStore(chain.keys());
        factory.setKeyStorePassword("");
    }

    private void warn(Instant expires) {
        if (expires.isBefore(clock.instant().plus(SOON))) {
            LOG.atWarn()
                    .addKeyValue("file", settings.certificate())
                    .addKeyValue("expires", expires)
                    .log("the certificate expires soon");
        }
    }

    /// Whether callers are asked for certificates.
    boolean asksCallers() {
        return settings.callers().isPresent();
    }

    SslConnectionFactory connections() {
        return new TlsConnections(context);
    }

    /// Reads the files again; connections from now on see the new certificate, and requests from now on are judged by the new authorities.
    ///
    /// @return what is wrong with them; what was in force stays so then
    List<String> reload() {
        try {
            var mark = mark();
            var markOfAuthorities = markOfAuthorities();
            var chain = Certificates.read(settings, clock.instant());
            var trusted =
                    settings.callers().map(asked -> Certificates.authorities(asked.authorities()));
            var trust = trusted.map(CallerTrust::of);
            context.reload(factory -> {
                use(factory, chain);
                trusted.ifPresent(factory::setTrustStore);
            });
            callers = trust;
            inForce = mark;
            authorities = markOfAuthorities;
            warn(chain.expires());
            LOG.atInfo().addKeyValue("expires", chain.expires()).log("certificate reloaded");
            return List.of();
        } catch (StartupException refused) {
            LOG.atError().setCause(refused).log("the certificate cannot be reloaded");
            return List.of(String.valueOf(refused.getMessage()));
        } catch (Exception failed) {
            LOG.atError().setCause(failed).log("the certificate cannot be replaced");
            return List.of("the certificate cannot be replaced: " + failed);
        }
    }
}
