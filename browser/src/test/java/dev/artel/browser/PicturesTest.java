package dev.artel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The pictures of the documents, of a publisher's orchestrator.
final class PicturesTest extends BrowserTestCase {
    /// They live as long as pages may read from them.
    private static final List<Publisher> PUBLISHERS = new ArrayList<>();

    @TempDir private static Path folder;
    private Publisher publisher;

    @BeforeEach
    void open() {
        publisher = new Publisher(folder.resolve(Integer.toString(PUBLISHERS.size())));
        PUBLISHERS.add(publisher);
    }

    @AfterAll
    static void close() {
        PUBLISHERS.forEach(Publisher::close);
    }

    private Page page(Look look, int height) {
        var page = stranger(look, Picture.DENSITY);
        page.setViewportSize(look.width, height);
        return loggedIn(page, publisher.uri(), publisher.token());
    }

    @Test
    void aJobThatNobodyDoes_beginsWithTheReason() throws IOException {
        var page = page(Look.LIGHT, 690);

        go(page, "jobs/" + publisher.hello());

        assertThat(page.locator("[data-test=why]")).containsText("no worker is connected");
        assertThat(page.locator("[data-test=gantt] .piece").first()).isVisible();
        Picture.take(page, "dashboard-waiting");
    }

    @Test
    void theOverview_showsQueuesWithReasons() throws IOException {
        publisher.people();
        publisher.work(Picture.IS_WRITTEN ? 300 : 8);
        var page = page(Look.DARK, 1000);

        assertThat(page.locator("[data-test=queue]").getByText("offers record_audio")).isVisible();
        Picture.take(page, "dashboard-overview");
    }

    @Test
    void whatNeedsAPerson_isListedWithItsActs() throws IOException {
        publisher.people();
        var page = page(Look.LIGHT, 560);

        go(page, "needs");

        assertThat(page.locator("[data-test=need]")).hasCount(Publisher.NEEDS);
        Picture.take(page, "dashboard-needs");
    }

    @Test
    void aDefinition_hasAGraph() throws IOException {
        publisher.people();
        var page = page(Look.LIGHT, 640);

        go(page, "definitions/publish-book");

        assertThat(page.locator("[data-test=graph] svg").first()).isVisible();
        Picture.take(page, "dashboard-definition");
    }

    @Test
    void aSchedule_hasTicks() throws IOException {
        publisher.schedule();
        var page = page(Look.LIGHT, 760);

        go(page, "schedules/nightly-report");

        assertThat(page.locator("main h1").first()).containsText("nightly-report");
        Picture.take(page, "dashboard-schedule");
    }
}
