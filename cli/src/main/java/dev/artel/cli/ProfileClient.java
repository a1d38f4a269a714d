package dev.artel.cli;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientRetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// A client of the orchestrator that a person has chosen: options of a command come before variables of the environment, and those before
/// what `artel login` has kept. Commands mix it in.
public final class ProfileClient {
    static final String TOKEN = "ARTEL_TOKEN";

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "the orchestrator; else $ARTEL_URL, else that of the profile")
    private Optional<URI> url = Optional.empty();

    /// The one without a name need not be there.
    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = LoginProfiles.DEFAULT,
            description = "what `artel login` has kept; default: ${DEFAULT-VALUE}")
    private String profile = LoginProfiles.DEFAULT;

    @Mixin private CertificateOption certificate = new CertificateOption();

    /// No options given so far.
    public ProfileClient() {}

    /// The options that select the same orchestrator again.
    List<String> selection() {
        var all = new ArrayList<String>();
        if (url.isPresent()) {
            all.addAll(List.of("--url", url.get().toString()));
        } else if (!profile.equals(LoginProfiles.DEFAULT)) {
            all.addAll(List.of("--profile", profile));
        }
        all.addAll(certificate.selection());
        return List.copyOf(all);
    }

    /// Opens a client, which is the caller's to close. Asks the orchestrator nothing.
    ///
    /// @param token comes before that of the environment
    /// @throws CliFailure if there is no token, or no such profile; the message states what to do
    public ArtelClient open(Optional<String> token, Map<String, String> environment) {
        var kept = LoginProfiles.of(environment).find(profile);
        if (kept.isEmpty() && !profile.equals(LoginProfiles.DEFAULT)) {
            throw CliFailure.usage(
                    "there is no profile '"
                            + profile
                            + "'; make it with artel login URL --profile "
                            + profile);
        }
        var address =
                url.or(() -> variable(environment, "ARTEL_URL").map(URI::create))
                        .or(() -> kept.map(LoginProfiles.Profile::url))
                        .orElse(URI.create("http://localhost:8080"));
        var tls = certificate.read(environment);
        var secret =
                token.or(() -> variable(environment, TOKEN))
                        .or(() ->
                                kept.filter(its -> isSameServer(its.url(), address))
                                        .map(LoginProfiles.Profile::token))
                        .or(() -> tls.map(_ -> ""))
                        .orElseThrow(() ->
                                CliFailure.usage(
                                        "no token for "
                                                + address
                                                + "; set ARTEL_TOKEN, or run artel login "
                                                + address
                                                + " (where the orchestrator runs, artel token show client prints one)"));
        var policy = ClientRetryPolicy.DEFAULTS.withTotal(ANSWER_WITHIN);
        return tls.map(context -> ArtelClient.of(address, secret, policy, context))
                .orElseGet(() -> ArtelClient.of(address, secret, policy));
    }

    /// A token is sent to the orchestrator alone for which it was kept.
    private static boolean isSameServer(URI one, URI other) {
        return origin(one).equalsIgnoreCase(origin(other));
    }

    private static String origin(URI address) {
        var isTls = "https".equalsIgnoreCase(address.getScheme());
        var port = address.getPort() < 0 ? isTls ? 443 : 80 : address.getPort();
        return address.getScheme() + "://" + address.getHost() + ":" + port;
    }

    /// A variable of the environment; empty if it is not set, or has nothing.
    static Optional<String> variable(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(it -> !it.isBlank());
    }

    /// Where the token comes from with which [#open] opens a client, for people.
    ///
    /// @param isInFile whether a file was named for it
    String tokenSource(boolean isInFile, Map<String, String> environment) {
        if (isInFile) {
            return TokenOption.NAME;
        }
        return variable(environment, TOKEN).isPresent() ? "$" + TOKEN : "profile " + profile;
    }
}
