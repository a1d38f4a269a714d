package dev.artel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.JobSubmission;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Names and payloads come from anywhere; none of them is ever executed.
final class HostileValuesTest extends BrowserTestCase {
    private static final List<String> HOSTILE =
            List.of(
                    "<img src=x onerror=\"window.hacked='img'\">",
                    "<script>window.hacked='script'</script>",
                    "\"><svg onload=\"window.hacked='svg'\">",
                    "javascript:window.hacked='link'",
                    "{{constructor.constructor('window.hacked=1')()}}",
                    "</textarea><script>window.hacked='area'</script>");

    @TempDir private Path folder;

    @Test
    void whatUsersSend_isText() throws Exception {
        try (var scenery = new Scenery(folder)) {
            var input = JsonObject.builder();
            for (var text : HOSTILE) {
                input.put(text, JsonObject.of("value", JsonValue.of(text)));
            }
            var jobs =
                    List.of(
                            scenery.client
                                    .submit(
                                            JobSubmission.of("paint", input.build())
                                                    .withLabel("note", HOSTILE.getFirst())
                                                    .withLabel("link", HOSTILE.get(3)))
                                    .id(),
                            scenery.client
                                    .submit(
                                            JobSubmission.of("signal", input.build())
                                                    .withLabel("note", HOSTILE.get(1)))
                                    .id());
            scenery.awaitFinished(jobs.getFirst());
            var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
            for (var job : jobs) {
                for (var tab : List.of("", "?tab=tasks", "?tab=events", "?tab=data", "?tab=logs")) {
                    go(page, "jobs/" + job + tab);
                }
            }
            go(
                    page,
                    "jobs?label.note="
                            + java.net.URLEncoder.encode(
                                    HOSTILE.get(2), java.nio.charset.StandardCharsets.UTF_8));
            go(page, "jobs");
            assertThat(page.locator("[data-test=job]").first()).isVisible();
            go(page, "jobs/" + jobs.getFirst() + "?tab=data");
            assertThat(page.locator("[data-test=json]").first()).containsText("window.hacked");
            screenshot(page, "hostile-values");

            assertThat(page.evaluate("window.hacked === undefined")).isEqualTo(true);
            assertThat(
                            (Integer)
                                    page.evaluate(
                                            "document.querySelectorAll('a[href^=\"javascript\"], main img[src=x]').length"))
                    .isZero();
        }
    }
}
