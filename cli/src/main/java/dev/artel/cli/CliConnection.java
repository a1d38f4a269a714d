package dev.artel.cli;

import dev.artel.client.ArtelApi;
import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Which orchestrator a command asks, and how it answers. Options come before variables of the environment, and those before the profile.
final class CliConnection {
    @Mixin private ProfileClient chosen = new ProfileClient();

    @Mixin private TokenOption token = new TokenOption();

    @Option(names = "--json", description = "print the documents of the API")
    private boolean isJson;

    /// Whether documents are to be printed as they are.
    boolean isJson() {
        return isJson;
    }

    /// The options that select the same orchestrator again, without the token.
    List<String> selection() {
        return chosen.selection();
    }

    /// What `work` returns, with a client whose connections are closed afterwards.
    <T> T with(Map<String, String> environment, Function<ArtelClient, T> work) {
        try (var client = open(environment)) {
            return work.apply(client);
        } catch (ClientException.Unauthorized refused) {
            throw CliFailure.unauthorized(
                    refused, chosen.tokenSource(token.isGiven(), environment));
        }
    }

    private ArtelClient open(Map<String, String> environment) {
        return chosen.open(token.read(), environment);
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
