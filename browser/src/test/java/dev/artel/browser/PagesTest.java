package dev.artel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Each page, light, dark and on a phone, with jobs that wait for different things.
final class PagesTest extends BrowserTestCase {
    /// What a cold visit to the overview may transfer.
    private static final int MOST_BYTES = 300_000;

    @TempDir private static Path folder;
    private static Scenery scenery;
    private static Map<String, String> jobs;

    @BeforeAll
    static void open() throws Exception {
        scenery = new Scenery(folder);
        jobs = new LinkedHashMap<>();
        jobs.put("finished", scenery.submit("paint", JsonObject.of("colour", JsonValue.of("red"))));
        scenery.awaitFinished(jobs.get("finished"));
        jobs.put("failed", scenery.submit("failing"));
        scenery.awaitFinished(jobs.get("failed"));
        jobs.put("queued", scenery.awaiting("sculpt", "waiting_for_worker"));
        jobs.put("approval", scenery.awaiting("approval", "waiting_for_human"));
        jobs.put("signal", scenery.awaiting("signal", "waiting_for_signal"));
        jobs.put("question", scenery.awaiting("ask", "waiting_for_human"));
        jobs.put("quarantined", scenery.awaiting("broken", "quarantined"));
    }

    @AfterAll
    static void close() {
        scenery.close();
    }

    @ParameterizedTest
    @EnumSource(Look.class)
    void eachPage_isShown_isAccessible_andFits(Look look) {
        var page = page(scenery.uri(), scenery.node.clientToken(), look);
        var parts = new LinkedHashMap<String, String>();
        parts.put("overview", "");
        parts.put("jobs", "jobs");
        parts.put("needs", "needs");
        parts.put("workers", "workers");
        parts.put("worker", "workers/painter-1");
        parts.put("definitions", "definitions");
        parts.put("definition", "definitions/approval");
        parts.put("schedules", "schedules");
        parts.put("system", "system");
        jobs.forEach((name, id) -> parts.put("job-" + name, "jobs/" + id));
        for (var tab : java.util.List.of("tasks", "events", "data", "logs", "children")) {
            parts.put("job-" + tab, "jobs/" + jobs.get("finished") + "?tab=" + tab);
        }

        parts.forEach((name, part) -> {
            go(page, part);
            assertThat(page.locator("main h1").first()).isVisible();
            screenshot(page, look.name().toLowerCase(java.util.Locale.ROOT) + "-" + name);
            assertAccessible(page, name + " in " + look);
            assertThat(
                            (Integer)
                                    page.evaluate(
                                            "document.documentElement.scrollWidth - document.documentElement.clientWidth"))
                    .as("how far %s is wider than the window in %s", name, look)
                    .isLessThanOrEqualTo(0);
        });
    }

    /// What `explain` of the API returns is the first thing that the page of a job shows.
    @Test
    void thePageOfAJob_namesWhatItWaitsFor() {
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        for (var name :
                java.util.List.of("queued", "approval", "signal", "question", "quarantined")) {
            var job = jobs.getOrDefault(name, "");
            go(page, "jobs/" + job);
            var reason =
                    switch (name) {
                        case "queued" -> "offers sculpt";
                        case "approval" -> "Release the picture?";
                        case "signal" -> "signal 'paid'";
                        case "question" -> "Which colour?";
                        default -> "the disk is full";
                    };
            assertThat(scenery.explanation(job)).contains(reason);
            assertThat(page.locator("[data-test=why]")).containsText(reason);
        }
    }

    @Test
    void theOverview_comesWithFewBytes_andStaysLive() {
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        var bytes =
                (Number)
                        page.evaluate(
                                "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))"
                                        + ".reduce((sum, one) => sum + one.transferSize, 0)");
        assertThat(bytes.intValue()).isBetween(10_000, MOST_BYTES);

        assertThat(page.locator("[data-test=queue]").first()).containsText("offers sculpt");
        var more = scenery.awaiting("approval", "waiting_for_human");
        assertThat(page.locator("[data-test=status-waiting_for_human]")).containsText("3");
        scenery.client.cancel(new dev.artel.client.JobRef(more));
        assertThat(page.locator("[data-test=status-waiting_for_human]")).containsText("2");
    }

    @Test
    void aVersion_isChosen_andItsGraphIsShown_alsoAtItsJobs() {
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        go(page, "definitions/signal");
        assertThat(page.locator("[data-test=graph] [data-state=one]")).isVisible();
        page.locator("[data-test=version]").selectOption("0.9");
        assertThat(page.locator("[data-test=graph] [data-state=before]")).isVisible();
        assertThat(page.locator("[data-test=graph-version]")).hasText("of version 0.9");
        screenshot(page, "definition-of-a-version");

        var job = scenery.submitOfVersion("signal", "0.9");
        scenery.awaitStatus(job, "waiting_for_signal");
        go(page, "jobs/" + job);
        assertThat(page.locator("[data-test=graph] [data-state=before]")).isVisible();
        scenery.client.cancel(new dev.artel.client.JobRef(job));
    }

    @Test
    void aDefinition_showsWhatJobsDidInEachState() {
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        go(page, "definitions/broken");
        var state = page.locator("[data-test=states] [data-test=state]");
        assertThat(state).hasCount(1);
        assertThat(state.locator("td")).hasText(new String[] {"one", "1", "1", "-", "-", "0", "1"});
        screenshot(page, "definition-states");
    }

    @Test
    void aWorker_showsHowItsReputationChanged() {
        scenery.awaitFinished(scenery.submit("spill"));
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        go(page, "workers/painter-1");
        var chart = page.locator("[data-test=reputation] [data-test=steps]");
        assertThat(chart.locator("canvas")).isVisible();
        assertThat(chart)
                .hasAttribute(
                        "aria-label", Pattern.compile("Reputation: 1 change, lowest 0\\.9.*"));
        screenshot(page, "worker-reputation");
    }

    @Test
    void keys_openTheSearch_andGoToPages() {
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        page.keyboard().press("g");
        page.keyboard().press("w");
        assertThat(page.locator("main h1").first()).hasText("Workers");
        page.keyboard().press("Control+k");
        assertThat(page.locator("[data-test=palette]")).isVisible();
        page.keyboard().type("quarantined");
        page.keyboard().press("Enter");
        assertThat(page.locator("[data-test=job]")).hasCount(1);
        assertThat(page.url()).contains("status=quarantined");
        page.keyboard().press("?");
        assertThat(page.locator("[data-test=keys]")).isVisible();
        page.keyboard().press("Escape");
        assertThat(page.locator("[data-test=keys]")).hasCount(0);
    }
}
