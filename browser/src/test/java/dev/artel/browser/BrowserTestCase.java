package dev.artel.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.artel.testkit.service.OptionalService;
import dev.artel.waits.Await;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/// A browser for the tests of a class, and pages of it that are closed after each test. What the page reports as an error fails the test.
@Timeout(Await.HUNG)
abstract class BrowserTestCase {
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final double LONGEST_MILLIS = Await.longest().toMillis();

    private static @Nullable Playwright playwright;

    @SuppressWarnings("NullAway.Init") // not opened where the tests are skipped
    private static Browser browser;

    private final List<BrowserContext> contexts = new ArrayList<>();
    private final List<String> errors = new ArrayList<>();

    @BeforeAll
    static void openBrowser() {
        if (!OptionalService.CHROMIUM.isPresent() || !OptionalService.NODE.isPresent()) {
            return; // each test is skipped
        }
        // What is awaited of a page, five seconds by itself.
        PlaywrightAssertions.setDefaultAssertionTimeout(LONGEST_MILLIS);
        playwright = Playwright.create();
        browser =
                playwright
                        .chromium()
                        .launch(
                                new BrowserType.LaunchOptions()
                                        .setExecutablePath(
                                                Path.of(OptionalService.CHROMIUM.program()))
                                        .setArgs(List.of("--no-sandbox"))
                                        .setTimeout(LONGEST_MILLIS));
    }

    @AfterAll
    static void closeBrowser() {
        if (playwright != null) {
            browser.close();
            playwright.close();
        }
    }

    /// Not before all: a class that is skipped as a whole leaves no report.
    @BeforeEach
    void needBrowser() {
        OptionalService.assumeAll(OptionalService.CHROMIUM, OptionalService.NODE);
    }

    @AfterEach
    void closePages() {
        contexts.forEach(BrowserContext::close);
        assertThat(errors).as("what the pages reported").isEmpty();
    }

    /// How a person looks at it.
    enum Look {
        LIGHT(1280, 900, ColorScheme.LIGHT),
        DARK(1280, 900, ColorScheme.DARK),
        PHONE(390, 844, ColorScheme.LIGHT);

        final int width;
        final int height;
        final ColorScheme scheme;

        Look(int width, int height, ColorScheme scheme) {
            this.width = width;
            this.height = height;
            this.scheme = scheme;
        }
    }

    /// A page without a session.
    final Page stranger(Look look) {
        return stranger(look, 1);
    }

    /// @param density how many pixels one of the page has to each side
    final Page stranger(Look look, double density) {
        var context =
                browser.newContext(
                        new Browser.NewContextOptions()
                                .setViewportSize(look.width, look.height)
                                .setDeviceScaleFactor(density)
                                .setColorScheme(look.scheme));
        contexts.add(context);
        var page = context.newPage();
        page.setDefaultTimeout(LONGEST_MILLIS);
        page.onPageError(errors::add);
        page.onConsoleMessage(message -> {
            // A refusal, which the page shows, is also a line of the console.
            if (message.type().equals("error") && !message.text().contains("with a status of")) {
                errors.add(message.text());
            }
        });
        // A handler must not ask the browser anything: it would wait for itself.
        page.onResponse(response -> {
            if (response.status() >= 500) {
                errors.add(response.status() + " " + response.url());
            }
        });
        return page;
    }

    /// A page that is logged in.
    final Page page(URI orchestrator, String token, Look look) {
        return loggedIn(stranger(look), orchestrator, token);
    }

    /// Logs in at a page without a session.
    static Page loggedIn(Page page, URI orchestrator, String token) {
        page.navigate(orchestrator.toString());
        logIn(page, token);
        page.getByRole(com.microsoft.playwright.options.AriaRole.HEADING)
                .getByText("Overview")
                .waitFor();
        return page;
    }

    static void logIn(Page page, String token) {
        page.getByLabel("Token").fill(token);
        page.locator("[data-test=login] button[type=submit]").click();
    }

    /// Goes to a part of the dashboard, such as `jobs`, and waits until it has loaded what it shows first.
    static void go(Page page, String part) {
        page.evaluate("part => { location.hash = '#/' + part }", part);
        page.locator("main h1").first().waitFor();
        page.waitForFunction("() => !document.querySelector('main .spin, main [aria-busy=true]')");
    }

    static void screenshot(Page page, String name) {
        page.screenshot(
                new Page.ScreenshotOptions()
                        .setPath(SCREENSHOTS.resolve(name + ".png"))
                        .setFullPage(false));
    }

    /// Nothing that keeps people out: of the rules of WCAG, none is broken in a way that axe calls serious or critical.
    static void assertAccessible(Page page, String name) {
        var serious = new TreeMap<String, String>();
        for (var rule : new AxeBuilder(page).analyze().getViolations()) {
            if (List.of("serious", "critical").contains(rule.getImpact())) {
                rule.getNodes()
                        .forEach(node ->
                                serious.put(rule.getId() + " " + node.getHtml(), rule.getHelp()));
            }
        }
        assertThat(serious).as("axe on %s", name).isEqualTo(Map.of());
    }
}
