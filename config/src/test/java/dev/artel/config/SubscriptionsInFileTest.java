package dev.artel.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SubscriptionsInFileTest {
    private static final String SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    @TempDir private Path folder;

    private CommandLine.Outcome read(String yaml) throws IOException {
        var file = Files.writeString(folder.resolve("artel.yaml"), yaml);
        return CommandLine.read(
                new String[] {"--config", file.toString()}, Map.of("HOOK_SECRET", SECRET));
    }

    private List<String> problems(String yaml) throws IOException {
        return ((CommandLine.Problems) read(yaml)).problems();
    }

    private String in(int line) {
        return " in " + folder.resolve("artel.yaml") + ":" + line;
    }

    @Test
    void subscriptions_areNamedInTheFile() throws IOException {
        var read =
                (CommandLine.Settings)
                        read(
                                """
                                webhooks:
                                  allow-private: 10.1.0.0/16
                                  subscriptions:
                                    on-call:
                                      url: https://example.com/hooks/artel
                                      secret: ${HOOK_SECRET}
                                      events: job_failed, worker_offline
                                    audit:
                                      url: https://10.1.2.3/
                                      secret: ${HOOK_SECRET}
                                      blueprints: [hello, album]
                                """);

        var webhooks = read.config().ingress().webhooks();
        assertThat(webhooks.subscriptions())
                .containsExactly(
                        new SubscriptionSettings(
                                "on-call",
                                "https://example.com/hooks/artel",
                                List.of("job_failed", "worker_offline"),
                                List.of(),
                                new Secret(SECRET)),
                        new SubscriptionSettings(
                                "audit",
                                "https://10.1.2.3/",
                                SubscriptionSettings.EVENTS,
                                List.of("hello", "album"),
                                new Secret(SECRET)));
        assertThat(read.config().toString()).doesNotContain("whsec_");
    }

    @Test
    void everythingThatIsWrong_isReportedTogether_withWhereAndWhatToDo() throws IOException {
        var problems =
                problems(
                        """
                        webhooks.subscriptions:
                          plain:
                            url: http://example.com/
                            secret: ${HOOK_SECRET}
                          inside:
                            url: https://10.0.0.1/
                            secret: ${HOOK_SECRET}
                          short:
                            url: https://example.com/
                            secret: whsec_c2hvcnQ=
                            events: job_finishd
                          nowhere:
                            ulr: https://example.com/
                            events: []
                          wh-1:
                            url: https://example.com/
                            secret: ${HOOK_SECRET}
                          "On Call":
                            url: https://example.com/
                            secret: ${HOOK_SECRET}
                        """);

        var prefix = "webhooks.subscriptions.";
        assertThat(problems)
                .containsExactlyInAnyOrder(
                        prefix
                                + "plain.url"
                                + in(3)
                                + " is of no use: it must begin with https://; plain HTTP has to be"
                                + " allowed with webhooks.allow-http",
                        prefix
                                + "inside.url"
                                + in(6)
                                + " is of no use: its address 10.0.0.1 is not public; an operator"
                                + " may allow its network with webhooks.allow-private",
                        prefix
                                + "short.secret"
                                + in(10)
                                + " must be whsec_ and 24 to 64 bytes in base64; make one with: echo"
                                + " whsec_$(openssl rand -base64 32)",
                        prefix
                                + "short.events"
                                + in(11)
                                + " must be some of "
                                + SubscriptionSettings.EVENTS
                                + ", and 'job_finishd' is none; did you mean job_finished?",
                        "unknown setting "
                                + prefix
                                + "nowhere.ulr"
                                + in(13)
                                + "; a subscription has [url, secret, previous-secret, previous-secret-until, events, blueprints]; did you"
                                + " mean url?",
                        prefix + "nowhere.url" + in(12) + " is missing; set where it is called",
                        prefix
                                + "nowhere.secret"
                                + in(12)
                                + " is missing; make one with: echo whsec_$(openssl rand -base64"
                                + " 32)",
                        prefix
                                + "nowhere.events"
                                + in(14)
                                + " must name at least one; leave it out for all",
                        prefix
                                + "wh-1"
                                + in(15)
                                + " must not be named wh-..., as those are that are made by the API;"
                                + " choose another name",
                        prefix
                                + "On Call"
                                + in(18)
                                + " must be named by 1 to 40 small letters, digits and hyphens, such"
                                + " as webhooks.subscriptions.on-call");
    }

    @Test
    void aList_isRefused_withoutItsSecrets() throws IOException {
        var problems =
                problems(
                        """
                        webhooks.subscriptions:
                          - url: https://example.com/
                            secret: hush-hush
                        """);

        assertThat(problems)
                .singleElement()
                .satisfies(problem ->
                        assertThat(problem)
                                .contains("must have a name for each", "on-call.url")
                                .doesNotContain("hush"));
    }

    @Test
    void flagsAndVariables_areSentToTheFile() {
        var outcome =
                CommandLine.read(
                        new String[] {"--webhooks.subscriptions.a.url=https://example.com/"},
                        Map.of("ARTEL_WEBHOOKS_SUBSCRIPTIONS_A_URL", "https://example.com/"));

        assertThat(((CommandLine.Problems) outcome).problems())
                .hasSize(2)
                .allSatisfy(problem -> assertThat(problem).contains("are set in the file"));
    }

    @Test
    void moreSubscriptionsThanAJobMayHave_areRefused() throws IOException {
        var yaml = new StringBuilder("webhooks.subscriptions:\n");
        for (var i = 0; i < 20; i++) {
            yaml.append("  n").append(i).append(":\n    url: https://example.com/\n");
            yaml.append("    secret: ${HOOK_SECRET}\n");
        }

        assertThat(problems(yaml.toString()))
                .containsExactly("webhooks.subscriptions" + in(1) + " must be at most 19, were 20");
    }

    @Test
    void aProgram_getsTheSameReport() {
        assertThatThrownBy(() ->
                        new SubscriptionSettings(
                                "On Call",
                                "https://example.com/",
                                List.of("job_done"),
                                List.of(),
                                new Secret("whsec_only-sixteen")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("On Call must be named", ".events must", ".secret must");
    }

    @Test
    void theSecretOfBefore_isGoodBesideTheOther_untilItsEnd() throws IOException {
        var other = "whsec_" + "AAECAwQFBgcICQoL".repeat(2);
        var file =
                """
                webhooks.subscriptions.on-call.url: https://example.com/hooks/artel
                webhooks.subscriptions.on-call.secret: ${HOOK_SECRET}
                webhooks.subscriptions.on-call.previous-secret: %s
                webhooks.subscriptions.on-call.previous-secret-until: %s
                """;
        var read = (CommandLine.Settings) read(file.formatted(other, "2030-01-31T00:00:00+01:00"));

        assertThat(read.config().ingress().webhooks().subscriptions().getFirst().previous())
                .contains(
                        new SigningSecret(
                                new Secret(other),
                                Optional.of(Instant.parse("2030-01-30T23:00:00Z"))));
        assertThat(problems(file.formatted("whsec_short", "soon")))
                .anyMatch(problem -> problem.contains("previous-secret") && problem.contains("24"))
                .anyMatch(problem ->
                        problem.contains("previous-secret-until")
                                && problem.contains("2030-01-31T00:00:00Z"));
        var without = file.lines().filter(line -> !line.contains("previous-secret:"));
        assertThat(problems(String.join("\n", without.toList()).formatted("2030-01-31T00:00:00Z")))
                .anyMatch(problem -> problem.contains("there is none"));
    }
}
