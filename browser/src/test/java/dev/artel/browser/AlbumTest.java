package dev.artel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import dev.artel.examples.photos.PhotoAlbumDemo;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The photograph demo as people see it: they open the link that it prints while workers are at it and one of them is killed.
final class AlbumTest extends BrowserTestCase {
    private static final Path PHOTOS = Path.of("..", "examples", "photo-album", "photos");
    private static final Pattern LINK = Pattern.compile("Dashboard +(http\\S+)");
    private static final Pattern JOB = Pattern.compile("Job +(\\S+) of blueprint");
    private static final Pattern KILLED = Pattern.compile("Killed the worker (\\S+)");
    private static final Duration LONGEST = Await.longest();
    private static final LocatorAssertions.ContainsTextOptions IN_TIME =
            new LocatorAssertions.ContainsTextOptions().setTimeout((double) LONGEST.toMillis());

    @TempDir private Path folder;
    private Process demo;

    @BeforeEach
    void run() throws IOException {
        demo =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                PhotoAlbumDemo.class.getName(),
                                "--photos",
                                PHOTOS.toAbsolutePath().normalize().toString(),
                                "--out",
                                folder.resolve("album").toString(),
                                "--data",
                                folder.resolve("data").toString(),
                                "--port",
                                "0",
                                "--no-browser")
                        .redirectErrorStream(true)
                        .redirectOutput(output().toFile())
                        .start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (demo == null) {
            return;
        }
        demo.destroy();
        if (!demo.waitFor(Await.seconds(), TimeUnit.SECONDS)) {
            demo.descendants().forEach(ProcessHandle::destroyForcibly);
            demo.destroyForcibly();
        }
    }

    private Path output() {
        return folder.resolve("output.txt");
    }

    private String awaitPrinted(Pattern pattern) {
        var found = pattern.matcher("");
        await().until(() -> found.reset(Files.readString(output())).find() || !demo.isAlive());
        assertThat(found.reset(read()).find()).as(read()).isTrue();
        return found.group(1);
    }

    private String read() {
        try {
            return Files.readString(output());
        } catch (IOException unreadable) {
            throw new AssertionError("cannot read what the demo printed", unreadable);
        }
    }

    @Test
    void photographsTravel_aWorkerIsKilled_andTheAlbumIsComplete() throws IOException {
        var page = stranger(Look.LIGHT, Picture.DENSITY);
        page.navigate(awaitPrinted(LINK));
        page.locator("[data-test=log-in]").click();
        assertThat(page.locator("main h1").first()).hasText("Overview");
        var job = awaitPrinted(JOB);
        go(page, "jobs/" + job);
        assertThat(page.locator("[data-test=gantt]")).containsText("resize_image", IN_TIME);
        screenshot(page, "album-under-way");
        if (Picture.IS_WRITTEN) {
            takeTheKill(page);
        }

        assertThat(page.locator("[data-test=why]")).containsText("finished", IN_TIME);
        awaitPrinted(KILLED);
        screenshot(page, "album-done");
        go(page, "jobs/" + job + "?tab=events");
        assertThat(page.locator("[data-test=event]").first()).isVisible();
        go(page, "workers?all=true");
        var killed =
                page.locator("[data-test=worker]")
                        .filter(new Locator.FilterOptions().setHasText(awaitPrinted(KILLED)));
        assertThat(killed).containsText(Pattern.compile("Unhealthy|Offline"), IN_TIME);
        screenshot(page, "album-workers");
        // Before the orchestrator ends, which an open page would report.
        page.close();
    }

    /// The attempts that were lost with their worker are to be seen, and those that begin again.
    private void takeTheKill(Page page) throws IOException {
        page.setViewportSize(Look.LIGHT.width, 1260);
        awaitPrinted(KILLED);
        assertThat(page.locator("[data-test=gantt] .piece.tone-fail").first())
                .isVisible(
                        new LocatorAssertions.IsVisibleOptions()
                                .setTimeout((double) LONGEST.toMillis()));
        Picture.take(page, "dashboard-job");
    }
}
