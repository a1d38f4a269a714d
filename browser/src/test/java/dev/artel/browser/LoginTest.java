package dev.artel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.artel.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who comes in, and what they may do.
final class LoginTest extends BrowserTestCase {
    @TempDir private static Path folder;
    private static Scenery scenery;

    @BeforeAll
    static void open() throws Exception {
        scenery = new Scenery(folder);
    }

    @AfterAll
    static void close() {
        scenery.close();
    }

    @Test
    void aWrongToken_isRefused_andTheRightOneOpensASessionThatScriptsCannotRead() {
        var page = stranger(Look.LIGHT);
        page.navigate(scenery.uri().toString());
        logIn(page, "not-a-token");
        assertThat(page.getByRole(AriaRole.ALERT)).isVisible();
        assertAccessible(page, "login");
        screenshot(page, "login-refused");

        logIn(page, scenery.node.clientToken());
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();
        var cookie = page.context().cookies().getFirst();
        assertThat(cookie.httpOnly).isTrue();
        assertThat(cookie.sameSite).isEqualTo(SameSiteAttribute.STRICT);
        assertThat(page.evaluate("document.cookie")).isEqualTo("");

        page.getByLabel("Log out").first().click();
        assertThat(page.getByLabel("Token")).isVisible();
        page.reload();
        assertThat(page.getByLabel("Token")).isVisible();
    }

    @Test
    void aLink_logsInOnce() {
        var link = link();
        var page = stranger(Look.LIGHT);
        page.navigate(link);
        page.locator("[data-test=log-in]").click();
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();
        assertThat(page.url()).doesNotContain("code=");

        var second = stranger(Look.LIGHT);
        second.navigate(link);
        assertThat(second.getByLabel("Token")).isVisible();
        assertThat(second.locator("[data-test=link-over]"))
                .containsText("This link was used or is too old");
        assertAccessible(second, "a link that was used");
        screenshot(second, "login-link-used");
        logIn(second, scenery.node.clientToken());
        assertThat(second.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();
    }

    private static String link() {
        return scenery.client
                .api()
                .post("/ui/session/links", JsonObject.EMPTY)
                .string("url")
                .orElseThrow();
    }

    /// Trap: a person opens a link of somebody else, and from then on works as that client without knowing.
    @Test
    void aLink_logsNobodyIn_beforeThePersonAgrees() {
        var link = link();
        var page = stranger(Look.LIGHT);
        page.navigate(link);

        assertThat(page.locator("[data-test=link-login]"))
                .containsText(
                        "logs you in at "
                                + scenery.uri().resolve("/").toString().replaceFirst("/$", ""));
        assertThat(page.locator("[data-test=link-login]")).containsText("as the client default");
        assertThat(page.url()).doesNotContain("code=");
        assertThat(page.context().cookies()).isEmpty();
        assertAccessible(page, "a link before the login");
        screenshot(page, "login-link");
        page.locator("[data-test=leave]").click();
        assertThat(page.getByLabel("Token")).isVisible();
        assertThat(page.context().cookies()).isEmpty();

        page.evaluate("location.hash = '" + link.substring(link.indexOf('#')) + "'");
        page.locator("[data-test=log-in]").click();
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();
    }

    /// Trap: a page of others has the look at the session refused, by asking for it too often, and their link logs in without a question.
    @Test
    void aLink_logsNobodyIn_whereItIsNotKnownWhoIsIn() {
        for (var status : List.of(429, 408)) {
            var page = stranger(Look.LIGHT);
            page.route(
                    "**/ui/session",
                    route -> {
                        if (route.request().method().equals("GET")) {
                            route.fulfill(
                                    new Route.FulfillOptions().setStatus(status).setBody("{}"));
                        } else {
                            route.resume();
                        }
                    });

            page.navigate(link());

            assertThat(page.locator("#app h1, #app h2").first()).isVisible();
            assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isHidden();
            assertThat(page.context().cookies()).isEmpty();
        }
    }

    /// Trap: a link that is worth nothing, opened in a page that is logged in, logs the person out.
    @Test
    void aLinkThatWasUsed_isNamedAsSuch_andKeepsTheSession_alsoInAnOpenPage() {
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        go(page, "workers");

        page.evaluate("location.hash = '#code=nonsense'");
        assertThat(page.locator("[data-test=toast]")).containsText("That link was used");
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();

        page.navigate("about:blank");
        page.navigate(scenery.uri() + "/#code=nonsense");
        assertThat(page.locator("[data-test=toast]")).containsText("That link was used");
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();
        assertThat(page.url()).doesNotContain("code=");

        page.getByLabel("Log out").first().click();
        assertThat(page.getByLabel("Token")).isVisible();
        page.evaluate("location.hash = '#code=nonsense'");
        assertThat(page.locator("[data-test=link-over]")).isVisible();
    }

    /// Trap: a link that somebody sent has a person work as another client.
    @Test
    void aLinkOfAnotherClient_isAQuestion_alsoInAnOpenPage() {
        var page = page(scenery.uri(), Scenery.VIEWER, Look.LIGHT);
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();
        var link = link();
        page.navigate(link);
        assertThat(page.locator("[data-test=other-client]")).isVisible();
        assertAccessible(page, "other-client");
        page.locator("[data-test=stay]").click();
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();

        page.navigate("about:blank");
        page.navigate(link);
        page.locator("[data-test=replace]").click();
        assertThat(page.getByRole(AriaRole.HEADING).getByText("Overview")).isVisible();
        assertThat(
                        page.evaluate(
                                "fetch('/ui/session').then(it => it.json()).then(it => it.client)"))
                .isEqualTo("default");
    }

    @Test
    void aViewer_seesEverything_andNoAct() {
        var job = scenery.awaiting("signal", "waiting_for_signal");
        var page = page(scenery.uri(), Scenery.VIEWER, Look.LIGHT);
        go(page, "jobs/" + job);
        assertThat(page.locator("[data-test=why]")).containsText("signal 'paid'");
        assertThat(page.locator("[data-test=cancel]")).hasCount(0);
        assertThat(page.locator("[data-test=pause]")).hasCount(0);
        go(page, "workers/painter-1");
        assertThat(page.locator("[data-test=drain]")).hasCount(0);
        go(page, "definitions");
        assertThat(page.locator("[data-test=definition]").first()).isVisible();
        assertThat(page.locator("[data-test=start]")).hasCount(0);
    }

    /// A request of another site carries no cookie of ours, and one with it, but without the secret of the page, is refused.
    @Test
    void aRequestOfAnotherPage_changesNothing() {
        var job = scenery.awaiting("signal", "waiting_for_signal");
        var page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
        var status =
                page.evaluate(
                        "job => fetch('/api/v1/jobs/' + job + '/cancel', {method: 'POST'}).then(it => it.status)",
                        job);
        assertThat(status).isEqualTo(403);
        assertThat(scenery.status(job)).isEqualTo("waiting_for_signal");
    }
}
