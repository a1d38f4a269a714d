package dev.artel.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What people do about jobs and workers, by clicks.
final class ActsTest extends BrowserTestCase {
    @TempDir private static Path folder;
    private static Scenery scenery;
    private Page page;

    @BeforeAll
    static void open() throws Exception {
        scenery = new Scenery(folder);
    }

    @AfterAll
    static void close() {
        scenery.close();
    }

    @BeforeEach
    void logIn() {
        page = page(scenery.uri(), scenery.node.clientToken(), Look.LIGHT);
    }

    private void click(String test) {
        page.locator("[data-test=" + test + "]").first().click();
    }

    private void confirm() {
        page.locator("dialog [data-test=confirm]").click();
        assertThat(page.locator("dialog")).hasCount(0);
    }

    private void choose(String act) {
        click("job-menu");
        page.getByRole(AriaRole.MENUITEM).getByText(act).first().click();
    }

    @Test
    void aJob_isPaused_resumed_andCancelled() {
        var job = scenery.awaiting("signal", "waiting_for_signal");
        go(page, "jobs/" + job);

        click("pause");
        page.getByLabel("Reason").fill("a repair");
        confirm();
        assertThat(page.locator("[data-test=why]")).containsText("a repair");
        click("resume");
        assertThat(page.locator("[data-test=pause]")).isVisible();
        click("cancel");
        confirm();
        scenery.awaitStatus(job, "cancelled");
        assertThat(page.locator("[data-test=why]")).containsText("Cancelled by client default");
    }

    @Test
    void aSignal_letsAJobGoOn_thatIsForkedThen() {
        var job = scenery.awaiting("signal", "waiting_for_signal");
        go(page, "jobs/" + job);

        choose("signal");
        page.getByLabel("Payload, as JSON").fill("{\"amount\":}");
        page.locator("dialog [data-test=confirm]").click();
        assertThat(page.locator("dialog [role=alert]")).isVisible();
        page.getByLabel("Payload, as JSON").fill("{\"amount\":7}");
        confirm();
        scenery.awaitStatus(job, "finished");

        choose("Fork");
        page.locator("dialog select").selectOption("one");
        confirm();
        assertThat(page.locator("[data-test=job-id]")).not().hasText(job);
        scenery.awaitStatus(page.locator("[data-test=job-id]").textContent(), "waiting_for_signal");
    }

    @Test
    void peoplesWork_isDoneWhereItIsListed() {
        var approval = scenery.awaiting("approval", "waiting_for_human");
        var question = scenery.awaiting("ask", "waiting_for_human");
        var broken = scenery.awaiting("broken", "quarantined");
        go(page, "needs");
        assertThat(page.locator("[data-test=need]")).hasCount(3);
        screenshot(page, "needs-three");

        click("choice-approve");
        confirm();
        scenery.awaitStatus(approval, "finished");
        click("answer");
        page.getByLabel("Answer").last().selectOption("blue");
        confirm();
        scenery.awaitStatus(question, "finished");
        assertThat(scenery.client.api().get("/api/v1/jobs/" + question).toString())
                .contains("\"colour\":\"blue\"");
        assertThat(page.locator("[data-test=need]")).hasCount(1);
        click("discard");
        page.getByLabel("Reason").fill("a test");
        confirm();
        scenery.awaitStatus(broken, "failed");
        assertThat(page.locator("[data-test=need]")).hasCount(0);
    }

    @Test
    void aTaskInDoubt_andABudget_areDoneAwayWithWhereTheyAreListed() {
        var doubtful = scenery.awaiting("pay", "waiting_for_human");
        var costly = scenery.awaiting("costly", "waiting_for_human");
        go(page, "needs");
        var rows = page.locator("[data-test=need]");
        assertThat(rows).hasCount(2);
        assertThat(page.locator("[data-kind=in_doubt]")).containsText("task 0");
        screenshot(page, "needs-doubt-and-budget");

        click("happened");
        confirm();
        scenery.awaitStatus(doubtful, "finished");
        assertThat(rows).hasCount(1);
        click("extend");
        page.getByLabel("US dollars").fill("1");
        confirm();
        scenery.awaitStatus(costly, "finished");
        assertThat(rows).hasCount(0);
    }

    /// Which task, approval or question it is comes from the explanation.
    @Test
    void thePageOfAJob_hasTheActsThatLetItGoOn() {
        var approval = scenery.awaiting("approval", "waiting_for_human");
        go(page, "jobs/" + approval);
        click("choice-approve");
        confirm();
        scenery.awaitStatus(approval, "finished");

        var question = scenery.awaiting("ask", "waiting_for_human");
        go(page, "jobs/" + question);
        click("answer");
        assertThat(page.locator("dialog")).containsText("Which colour?");
        page.getByLabel("Answer").last().selectOption("blue");
        confirm();
        scenery.awaitStatus(question, "finished");

        var doubtful = scenery.awaiting("pay", "waiting_for_human");
        go(page, "jobs/" + doubtful);
        click("happened");
        confirm();
        scenery.awaitStatus(doubtful, "finished");

        var costly = scenery.awaiting("costly", "waiting_for_human");
        go(page, "jobs/" + costly);
        click("extend");
        page.getByLabel("US dollars").fill("1");
        confirm();
        scenery.awaitStatus(costly, "finished");
    }

    @Test
    void aJob_isStartedFromItsDefinition() {
        go(page, "definitions/paint");
        click("start");
        page.getByLabel("Input, as JSON").fill("{\"colour\":\"green\"}");
        confirm();
        var job = page.locator("[data-test=job-id]").textContent();
        scenery.awaitStatus(job, "finished");
        assertThat(page.locator("[data-test=why]")).containsText("finished");
        assertThat(page.locator("[data-test=gantt]")).isVisible();
        page.locator("[data-test=tab-tasks]").click();
        assertThat(page.locator("[data-test=task]").first()).containsText("painter-1");
        page.locator("[data-test=tab-events]").click();
        assertThat(page.locator("[data-test=event]").first()).isVisible();
        screenshot(page, "job-events-of-a-started-one");
    }

    @Test
    void aWorker_isDrained_andUndrained() {
        go(page, "workers/painter-1");
        click("drain");
        confirm();
        assertThat(page.locator("main")).containsText("raining");
        assertThat(scenery.client.api().get("/api/v1/workers/painter-1").string("state"))
                .contains("draining");
        click("undrain");
        assertThat(page.locator("[data-test=drain]")).isVisible();
    }

    @Test
    void manyJobs_areCountedBeforeTheyAreCancelled() {
        scenery.awaiting("sculpt", "waiting_for_worker");
        scenery.awaiting("sculpt", "waiting_for_worker");
        go(page, "jobs?blueprint=sculpt&status=waiting_for_worker");
        assertThat(page.locator("[data-test=job]")).hasCount(2);

        page.getByText("Act on all", new Page.GetByTextOptions().setExact(false)).first().click();
        page.getByRole(AriaRole.MENUITEM).getByText("Cancel").first().click();
        assertThat(page.locator("[data-test=bulk-count]")).containsText("2 jobs are reached");
        page.locator("dialog [data-test=confirm]").click();
        assertThat(page.locator("dialog")).containsText("2");
    }

    @Test
    void aSchedule_isMade_run_paused_andDeleted() {
        go(page, "schedules");
        click("new-schedule");
        page.getByLabel("Name", new Page.GetByLabelOptions().setExact(true)).fill("nightly");
        page.getByLabel("Blueprint").last().fill("paint");
        confirm();
        assertThat(page.locator("main h1").first()).containsText("nightly");
        screenshot(page, "schedule");
        click("pause");
        confirm();
        assertThat(page.locator("[data-test=resume]")).isVisible();
        go(page, "schedules");
        assertThat(page.locator("[data-test=schedule]")).containsText("Paused");
    }
}
