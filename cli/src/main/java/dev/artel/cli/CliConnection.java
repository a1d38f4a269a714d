package dev.artel.cli;

import dev.artel.client.ArtelApi;
import dev.artel.client.ArtelClient;
import dev.artel.client.ClientRetryPolicy;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/// Which orchestrator a command asks, and how it answers. Options come before variables of the environment, and those before the profile.
final class CliConnection {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "the orchestrator; else $ARTEL_URL, else that of the profile")
    private Optional<URI> url = Optional.empty();

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "of a client; else $ARTEL_TOKEN, else that of the profile")
    private Optional<String> token = Optional.empty();

    @Option(
            names = "--profile",
            paramLabel = "NAME",
            defaultValue = LoginProfiles.DEFAULT,
            description = "what `artel login` has kept; default: ${DEFAULT-VALUE}")
    private String profile = LoginProfiles.DEFAULT;

    @Option(names = "--json", description = "print the documents of the API")
    private boolean isJson;

    /// Whether documents are to be printed as they are.
    boolean isJson() {
        return isJson;
    }

    /// What `work` returns, with a client whose connections are closed afterwards.
    <T> T with(Map<String, String> environment, Function<ArtelClient, T> work) {
        try (var client = open(environment)) {
            return work.apply(client);
        }
    }

    private ArtelClient open(Map<String, String> environment) {
        var kept = LoginProfiles.of(environment).find(profile);
        if (kept.isEmpty() && !profile.equals(LoginProfiles.DEFAULT)) {
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

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// The path of a job in the API.
    static String job(String id) {
        return "/api/v1/jobs/" + encoded(id);
    }

    /// What the API returns, for commands that only ask.
    <T> T ask(Map<String, String> environment, Function<ArtelApi, T> question) {
        return with(environment, client -> question.apply(client.api()));
    }
}
