package dev.artel.cli;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientRetryPolicy;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/// A client of the orchestrator that a person has chosen: what was given comes before variables of the environment, and those before
/// what `artel login` has kept.
public final class ProfileClient {
    /// The profile of `artel login` without a name.
    public static final String DEFAULT = LoginProfiles.DEFAULT;

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private ProfileClient() {}

    /// Opens a client, which is the caller's to close. Asks the orchestrator nothing.
    ///
    /// @param profile the name under which `artel login` has kept an address and a token; [#DEFAULT] need not be there
    /// @throws CliFailure if there is no token, or no such profile; the message states what to do
    public static ArtelClient open(
            Optional<URI> url,
            Optional<String> token,
            String profile,
            Map<String, String> environment) {
        var kept = LoginProfiles.of(environment).find(profile);
        if (kept.isEmpty() && !profile.equals(DEFAULT)) {
            throw CliFailure.usage(
                    "there is no profile '"
                            + profile
                            + "'; make it with artel login URL --profile "
                            + profile);
        }
        var address =
                url.or(() -> Optional.ofNullable(environment.get("ARTEL_URL")).map(URI::create))
                        .or(() -> kept.map(LoginProfiles.Profile::url))
                        .orElse(URI.create("http://localhost:8080"));
        var secret =
                token.or(() -> Optional.ofNullable(environment.get("ARTEL_TOKEN")))
                        .or(() -> kept.map(LoginProfiles.Profile::token))
                        .orElseThrow(() ->
                                CliFailure.usage(
                                        "no token for "
                                                + address
                                                + "; set ARTEL_TOKEN, or run artel login "
                                                + address
                                                + " (where the orchestrator runs, artel token show client prints one)"));
        return ArtelClient.of(address, secret, ClientRetryPolicy.DEFAULTS.withTotal(ANSWER_WITHIN));
    }
}
