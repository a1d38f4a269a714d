package dev.artel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.artel.blueprint.Approval;
import dev.artel.blueprint.BlueprintType;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ArtelClientTest {
    private static final ClientRetryPolicy RETRIES =
            new ClientRetryPolicy(
                    Duration.ofMinutes(3), Duration.ofMillis(5), Duration.ofMillis(20));
    private static final JobRef JOB = new JobRef("job-1");

    record Guest(String firstName) {}

    record Greeting(String text) {}

    private ScriptedServer ingress;
    private ArtelClient client;

    @BeforeEach
    void open() throws IOException {
        ingress = new ScriptedServer();
        client = ArtelClient.of(ingress.uri(), "secret", RETRIES);
    }

    @AfterEach
    void close() {
        client.close();
        ingress.close();
    }

    /// Trap: a server takes `..` for the part above, so that a signal is sent to its job itself.
    @Test
    void aNameThatLeadsToAnotherPartOfTheApi_isRefused_andNothingIsSent() {
        assertThatThrownBy(() -> client.signal(JOB, "..", "p-1", JsonValue.of(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'..' names nothing");
        assertThatThrownBy(() -> client.signal(new JobRef("."), "paid", "p-1", JsonValue.of(7)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(ingress.asked()).isEmpty();
    }

    @Test
    void aJob_isSubmitted_withWhatWasSetForIt() {
        ingress.replies(202, "{\"status\":\"accepted\",\"job_id\":\"job-1\"}");
        var wanted =
                JobSubmission.of("hello", new Guest("Ada"))
                        .withVersion("2")
                        .withPriority(1.5)
                        .withLabel("team", "blue")
                        .withDeadline(Duration.ofMillis(90_500))
                        .withIdempotencyKey("order-7");

        assertThat(client.submit(wanted)).isEqualTo(JOB);
        assertThat(ingress.asked())
                .containsExactly(
                        new ScriptedServer.Asked(
                                "POST",
                                "/api/v1/jobs",
                                "{\"blueprint\":\"hello\",\"initial_data\":{\"first_name\":\"Ada\"},"
                                        + "\"idempotency_key\":\"order-7\",\"version\":\"2\","
                                        + "\"priority\":1.5,\"labels\":{\"team\":\"blue\"},"
                                        + "\"deadline_seconds\":90.5}",
                                "Bearer secret",
                                ""));
    }

    @Test
    void aSignal_isSentUnderItsId() {
        ingress.hangsUp().replies(202, "{\"status\":\"signal_accepted\"}");

        client.signal(JOB, "paid", "p-1", JsonValue.of(7));

        assertThat(ingress.asked()).hasSize(2);
        assertThat(ingress.asked().getLast())
                .isEqualTo(
                        new ScriptedServer.Asked(
                                "POST",
                                "/api/v1/jobs/job-1/signals/paid",
                                "{\"id\":\"p-1\",\"payload\":7}",
                                "Bearer secret",
                                ""));
    }

    @Test
    void tasksAndChildren_areReadToTheEnd() {
        ingress.replies(
                        200,
                        "{\"items\":[{\"task\":0,\"type\":\"a\",\"status\":\"failed\"}],"
                                + "\"next_cursor\":\"c1\"}")
                .replies(200, "{\"items\":[{\"task\":7,\"type\":\"b\",\"status\":\"failed\"}]}")
                .replies(
                        200,
                        "{\"items\":[{\"number\":0,\"job_id\":\"j\",\"status\":\"running\"},"
                                + "{\"number\":1,\"status\":\"planned\"}]}");

        assertThat(client.tasks(JOB, TaskStatus.FAILED))
                .extracting(TaskView::number, TaskView::status)
                .containsExactly(tuple(0, TaskStatus.FAILED), tuple(7, TaskStatus.FAILED));
        assertThat(client.allChildren(JOB))
                .extracting(child -> child.job().map(JobRef::id).orElse("none"), ChildView::status)
                .containsExactly(
                        tuple("j", ChildStatus.RUNNING), tuple("none", ChildStatus.PLANNED));
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path)
                .containsExactly(
                        "/api/v1/jobs/job-1/tasks?status=failed&limit=1000",
                        "/api/v1/jobs/job-1/tasks?status=failed&limit=1000&cursor=c1",
                        "/api/v1/jobs/job-1/children?limit=1000");
    }

    /// Trap: something that is no orchestrator answers the same page again and again, and the client reads it until the memory is full.
    @Test
    void aPageThatFollowsItself_isNoOrchestrators() {
        var page = "{\"items\":[],\"next_cursor\":\"c1\"}";
        ingress.replies(200, page).replies(200, page);

        assertThatThrownBy(() -> client.tasks(JOB, TaskStatus.FAILED))
                .isInstanceOf(ClientException.Failed.class)
                .hasMessageContaining("names itself as the next one");
    }

    /// Trap: a program that wants to know how a job is reads megabytes of values each time.
    @Test
    void someMembersOfAJob_areAskedForAlone() {
        ingress.replies(200, "{\"id\":\"job-1\",\"status\":\"finished\",\"labels\":{\"a\":\"b\"}}");

        var job = client.find(JOB, List.of("id", "status", "labels"));

        assertThat(job.isFinished()).isTrue();
        assertThat(job.document().object("labels").orElseThrow().string("a")).hasValue("b");
        assertThat(ingress.asked().getLast().path())
                .endsWith("/jobs/job-1?fields=id,status,labels");
    }

    /// Trap: a newer orchestrator has a word that this client does not know, and it breaks, or takes it for another one.
    @Test
    void aWordOfANewerOrchestrator_isUnknown_andCanBeRead() {
        ingress.replies(200, "{\"id\":\"job-1\",\"status\":\"dreaming\"}")
                .replies(200, "{\"items\":[{\"task\":0,\"status\":\"dozing\"},{\"task\":1}]}")
                .replies(200, "{\"items\":[{\"number\":0,\"status\":\"unknown\"}]}")
                .replies(200, "{\"items\":[{\"approval\":1,\"status\":\"delegated\"}]}")
                .replies(200, "{\"items\":[{\"question\":1,\"status\":\"delegated\"}]}");

        var job = client.find(JOB);
        var tasks = client.tasks(JOB);
        var child = client.allChildren(JOB).getFirst();
        var approval = client.approvals(JOB).getFirst();
        var question = client.questions(JOB).getFirst();

        assertThat(job.status()).isEqualTo(JobStatus.UNKNOWN);
        assertThat(job.statusWord()).isEqualTo("dreaming");
        assertThat(job.isFinal()).isFalse();
        assertThat(tasks).extracting(TaskView::status).containsOnly(TaskStatus.UNKNOWN);
        assertThat(tasks).extracting(TaskView::statusWord).containsExactly("dozing", "");
        assertThat(child.status()).isEqualTo(ChildStatus.UNKNOWN);
        assertThat(child.statusWord()).isEqualTo("unknown");
        assertThat(approval.status()).isEqualTo(ApprovalStatus.UNKNOWN);
        assertThat(approval.statusWord()).isEqualTo("delegated");
        assertThat(approval.isOpen()).isFalse();
        assertThat(question.status()).isEqualTo(QuestionStatus.UNKNOWN);
        assertThat(question.statusWord()).isEqualTo("delegated");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.tasks(JOB, TaskStatus.UNKNOWN))
                .withMessage(
                        "TaskStatus.UNKNOWN stands for words that this client does not know, and cannot be asked for");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobFilter.ofStatus(JobStatus.UNKNOWN));
    }

    /// Trap: a list of one item asks for a page of a thousand, which the orchestrator reads and the program parses.
    @Test
    void aListOfAFew_asksForNoMore() {
        ingress.replies(200, "{\"items\":[{\"id\":\"job-1\"}],\"next_cursor\":\"c\"}");

        assertThat(client.api().list("/api/v1/jobs", 1)).hasSize(1);

        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path)
                .containsExactly("/api/v1/jobs?limit=1");
    }

    @Test
    void quarantinedJobs_areListed_allOrThoseOfAFilter() {
        ingress.replies(
                        200,
                        "{\"items\":[{\"id\":\"job-1\",\"status\":\"quarantined\",\"error_message\":\"no paper\"}]}")
                .replies(200, "{\"items\":[]}");

        assertThat(client.quarantined())
                .extracting(JobView::job, JobView::status, job -> job.error().orElse(""))
                .containsExactly(tuple(JOB, JobStatus.QUARANTINED, "no paper"));
        assertThat(client.quarantined(JobFilter.ofBlueprint("hello"))).isEmpty();
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path)
                .containsExactly(
                        "/api/v1/quarantine?limit=1000",
                        "/api/v1/quarantine?blueprint=hello&limit=1000");
    }

    @Test
    void pausesOfBlueprintsAndClients_areSetAndRemoved() {
        var pause =
                "{\"scope\":\"blueprint\",\"name\":\"a b\",\"by\":\"root\",\"at\":\"2026-01-01T00:00:00Z\",\"reason\":\"repair\"}";
        ingress.replies(200, pause)
                .replies(200, "{\"items\":[" + pause + ",{\"scope\":\"fleet\",\"name\":\"x\"}]}")
                .replies(200, "{\"status\":\"removed\"}")
                .replies(404, "{\"error\":\"Pause not found\"}");
        var operator = client.operator();

        assertThat(operator.pauseBlueprint("a b", "repair").scope())
                .isEqualTo(PauseView.Scope.BLUEPRINT);
        assertThat(operator.pauses())
                .extracting(PauseView::scope, PauseView::name, each -> each.reason().orElse(""))
                .containsExactly(
                        tuple(PauseView.Scope.BLUEPRINT, "a b", "repair"),
                        tuple(PauseView.Scope.UNKNOWN, "x", ""));
        assertThat(operator.unpauseBlueprint("a b")).isTrue();
        assertThat(operator.unpauseClient("anna")).isFalse();
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::method, ScriptedServer.Asked::path)
                .containsExactly(
                        tuple("PUT", "/api/v1/admin/pauses/blueprints/a%20b"),
                        tuple("GET", "/api/v1/admin/pauses?limit=1000"),
                        tuple("DELETE", "/api/v1/admin/pauses/blueprints/a%20b"),
                        tuple("DELETE", "/api/v1/admin/pauses/clients/anna"));
        assertThat(ingress.asked().getFirst().body()).isEqualTo("{\"reason\":\"repair\"}");
    }

    @Test
    void anApproval_isDecidedByItsConstant() {
        var open =
                "{\"items\":[{\"approval\":4,\"status\":\"open\",\"choices\":{\"plane\":\"a\",\"train\":\"b\"}},"
                        + "{\"approval\":5,\"status\":\"open\",\"choices\":{\"approve\":\"a\",\"reject\":\"b\"}},"
                        + "{\"approval\":2,\"status\":\"decided\",\"decision\":\"plane\"}]}";
        ingress.replies(200, open)
                .replies(200, "{}")
                .replies(200, open)
                .replies(200, "{}")
                .replies(200, open)
                .replies(200, open);
        var job = client.handle(TRIP, JOB);

        job.decide(WAY, Way.TRAIN);
        job.decide(Approval.REJECT);

        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path, ScriptedServer.Asked::body)
                .contains(
                        tuple("/api/v1/jobs/job-1/approvals/4", "{\"decision\":\"train\"}"),
                        tuple("/api/v1/jobs/job-1/approvals/5", "{\"decision\":\"reject\"}"));
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> job.decide(Approval.of("yes"), "yes"))
                .withMessage(
                        "deciding 'yes' for job job-1: it waits for no approval with the choices [yes] now");
        assertThat(client.approvals(JOB).getLast().decision(WAY)).contains(Way.PLANE);
    }

    enum Way {
        TRAIN,
        PLANE
    }

    private static final Approval<Way> WAY = Approval.of(Way.class);
    private static final BlueprintType<Guest, Greeting> TRIP =
            BlueprintType.of("trip", Guest.class, Greeting.class);

    @Test
    void allJobsOfAFilter_areCancelled_andCountsAreAddedUp() {
        ingress.replies(
                        200,
                        "{\"matched\":2,\"over\":1,\"done\":0,\"unchanged\":0,\"failed\":1,\"dry_run\":false,"
                                + "\"failures\":[{\"job_id\":\"j\",\"http_status\":503,\"error\":\"Later\","
                                + "\"code\":\"not_now\"}],\"next_cursor\":\"c1\"}")
                .replies(
                        200,
                        "{\"matched\":3,\"over\":0,\"done\":2,\"unchanged\":1,\"failed\":0,\"dry_run\":false,"
                                + "\"failures\":[]}");

        var result = client.cancelAll(JobFilter.ofBlueprint("hello").withLabel("a b", "c&d"));

        assertThat(result)
                .isEqualTo(
                        new BulkResult(
                                5,
                                1,
                                2,
                                1,
                                List.of(
                                        new BulkResult.Failure(
                                                new JobRef("j"), "not_now", "Later"))));
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path)
                .containsExactly(
                        "/api/v1/bulk/cancel?blueprint=hello&label.a%20b=c%26d",
                        "/api/v1/bulk/cancel?blueprint=hello&label.a%20b=c%26d&cursor=c1");
    }

    @Test
    void aSignalToAllJobsOfAFilter_andACount_areAskedFor() {
        var none = "{\"matched\":0,\"over\":0,\"done\":0,\"unchanged\":0,\"failed\":0}";
        ingress.replies(200, none).replies(200, none);

        client.signalAll(
                JobFilter.ofStatus(JobStatus.WAITING_FOR_SIGNAL), "go", "s-1", JsonValue.of(7));
        client.countAll(JobFilter.ofParent(JOB));

        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path, ScriptedServer.Asked::body)
                .containsExactly(
                        tuple(
                                "/api/v1/bulk/signals/go?status=waiting_for_signal",
                                "{\"id\":\"s-1\",\"payload\":7}"),
                        tuple("/api/v1/bulk/cancel?dry_run=true&parent=job-1", "{}"));
    }

    @Test
    void aTree_isCancelledUntilItIsComplete() {
        ingress.replies(
                        200,
                        "{\"matched\":1000,\"over\":996,\"done\":2,\"unchanged\":1,\"failed\":1,\"dry_run\":false,"
                                + "\"failures\":[{\"job_id\":\"j\",\"http_status\":503,\"error\":\"Later\","
                                + "\"code\":\"not_now\"}],\"next_cursor\":\"c1\"}")
                .replies(
                        200,
                        "{\"matched\":3,\"over\":0,\"done\":3,\"unchanged\":0,\"failed\":0,\"dry_run\":false,"
                                + "\"failures\":[]}");

        assertThat(client.cancelTree(JOB))
                .isEqualTo(
                        new BulkResult(
                                1003,
                                996,
                                5,
                                1,
                                List.of(
                                        new BulkResult.Failure(
                                                new JobRef("j"), "not_now", "Later"))));
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path)
                .containsExactly(
                        "/api/v1/jobs/job-1/cancel?tree=true",
                        "/api/v1/jobs/job-1/cancel?tree=true&cursor=c1");
    }

    @Test
    void aJobIsDeleted_onceOrTwice() {
        ingress.replies(200, "{\"status\":\"deleted\",\"deleted\":1}")
                .replies(404, "{\"error\":\"Job not found\"}")
                .replies(409, "{\"error\":\"Job is not over\",\"code\":\"job_not_over\"}");

        assertThat(client.delete(JOB)).isTrue();
        assertThat(client.deleteTree(JOB)).isFalse();
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> client.delete(JOB));
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::method, ScriptedServer.Asked::path)
                .contains(
                        tuple("DELETE", "/api/v1/jobs/job-1"),
                        tuple("DELETE", "/api/v1/jobs/job-1?tree=true"));
    }

    @Test
    void aJob_isSubmitted_withASignal() {
        ingress.replies(202, "{\"status\":\"accepted\",\"job_id\":\"job-1\"}");

        client.submit(
                JobSubmission.of("basket", JsonObject.EMPTY)
                        .withIdempotencyKey("customer-7")
                        .withSignal("added", "click-1", new Guest("Ada")));

        assertThat(ingress.asked().getFirst().body())
                .isEqualTo(
                        "{\"blueprint\":\"basket\",\"initial_data\":{},\"idempotency_key\":\"customer-7\","
                                + "\"signal\":{\"name\":\"added\",\"id\":\"click-1\","
                                + "\"payload\":{\"first_name\":\"Ada\"}}}");
    }

    @Test
    void aTaskInDoubt_isResolved() {
        ingress.replies(200, "{}").replies(200, "{}").replies(200, "{}");

        client.resolveAsHappened(JOB, 3, JsonValue.of(7));
        client.resolveAsNotHappened(JOB, 3);
        client.resolveAsFailed(JOB, 3, "no");

        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::body)
                .containsExactly(
                        "{\"outcome\":\"happened\",\"result\":7}",
                        "{\"outcome\":\"did_not_happen\"}",
                        "{\"outcome\":\"failed\",\"reason\":\"no\"}");
        assertThat(ingress.asked().getFirst().path())
                .isEqualTo("/api/v1/jobs/job-1/tasks/3/resolve");
    }

    @Test
    void aQuarantinedJob_isResolved() {
        ingress.replies(200, "{}").replies(200, "{}").replies(200, "{}").replies(200, "{}");

        client.release(JOB);
        client.retry(JOB, JsonObject.of("n", JsonValue.of(1)));
        client.skip(JOB, JsonValue.of(7));
        client.discard(JOB, "a test");

        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path, ScriptedServer.Asked::body)
                .containsExactly(
                        tuple("/api/v1/jobs/job-1/quarantine/release", "{}"),
                        tuple("/api/v1/jobs/job-1/quarantine/retry", "{\"data\":{\"n\":1}}"),
                        tuple("/api/v1/jobs/job-1/quarantine/skip", "{\"result\":7}"),
                        tuple("/api/v1/jobs/job-1/quarantine/discard", "{\"reason\":\"a test\"}"));
    }

    @Test
    void aTrace_goesWithEachRequestForItsJob() {
        var parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        ingress.hangsUp()
                .replies(202, "{\"status\":\"accepted\",\"job_id\":\"job-1\"}")
                .replies(202, "{\"status\":\"accepted\",\"job_id\":\"job-2\"}");

        client.submit(JobSubmission.of("hello", "Ada").withTrace(parent, "rojo=1").withPriority(2));
        client.submit(JobSubmission.of("hello", "Ada").withTrace(parent, ""));

        assertThat(ingress.traces())
                .containsExactly(
                        List.of(parent, "rojo=1"), List.of(parent, "rojo=1"), List.of(parent));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JobSubmission.of("hello", "Ada").withTrace("no\nheader", ""))
                .withMessageContaining("traceparent and tracestate must be printable ASCII, were");
    }

    @Test
    void aJob_isTakenBack() {
        ingress.replies(200, "{}");

        client.rewind(JOB, "first", JsonObject.of("n", JsonValue.of(1)));

        assertThat(ingress.asked().getFirst().path()).isEqualTo("/api/v1/jobs/job-1/rewind");
        assertThat(ingress.asked().getFirst().body())
                .isEqualTo("{\"state\":\"first\",\"data\":{\"n\":1}}");
    }

    @Test
    void priorityAndLabelsOfAJob_areChanged() {
        ingress.replies(200, "{}").replies(200, "{}");

        client.changePriority(JOB, 5);
        client.changeLabels(JOB, Map.of("team", "red"), List.of("old"));

        assertThat(ingress.asked().getFirst().path()).isEqualTo("/api/v1/jobs/job-1");
        assertThat(ingress.asked().getFirst().method()).isEqualTo("PATCH");
        assertThat(ingress.asked().getFirst().body()).isEqualTo("{\"priority\":5.0}");
        assertThat(ingress.asked().getLast().body())
                .isEqualTo("{\"labels\":{\"old\":null,\"team\":\"red\"}}");
    }

    @Test
    void aJob_isPausedAndResumed() {
        ingress.replies(200, "{}").replies(200, "{}");

        client.pause(JOB, "disk is full");
        client.resume(JOB);

        assertThat(ingress.asked().getFirst().path()).isEqualTo("/api/v1/jobs/job-1/pause");
        assertThat(ingress.asked().getFirst().body()).isEqualTo("{\"reason\":\"disk is full\"}");
        assertThat(ingress.asked().getLast().path()).isEqualTo("/api/v1/jobs/job-1/resume");
    }

    @Test
    void aJob_isForked_onceHoweverOftenItIsAskedFor() {
        ingress.hangsUp().replies(202, "{\"status\":\"accepted\",\"job_id\":\"job-2\"}");

        var fork = client.fork(JOB, "first", JsonObject.EMPTY);

        assertThat(fork).isEqualTo(new JobRef("job-2"));
        assertThat(ingress.asked()).hasSize(2);
        assertThat(ingress.asked().getFirst().body()).isEqualTo(ingress.asked().getLast().body());
        assertThat(ingress.asked().getFirst().path()).isEqualTo("/api/v1/jobs/job-1/fork");
    }

    @Test
    void approvals_areListedAndDecided() {
        ingress.replies(
                        200,
                        "{\"items\":[{\"approval\":4,\"status\":\"open\",\"branch\":0,\"message\":\"ship?\","
                                + "\"choices\":{\"yes\":\"ship\"},\"token\":\"t\"},"
                                + "{\"approval\":2,\"status\":\"decided\",\"branch\":0,"
                                + "\"decision\":\"no\",\"by\":\"token\"}]}")
                .replies(200, "{\"status\":\"approval_received\",\"job_id\":\"job-1\"}")
                .replies(410, "{\"error\":\"Approval expired\"}");

        var found = client.approvals(JOB);
        client.decide(JOB, found.getFirst().number(), "yes");

        assertThat(found).extracting(ApprovalView::isOpen).containsExactly(true, false);
        assertThat(found.getFirst().choices()).containsExactly("yes");
        assertThat(found.getFirst().token()).contains("t");
        assertThat(found.getLast().by()).contains("token");
        assertThat(ingress.asked().get(1).path()).isEqualTo("/api/v1/jobs/job-1/approvals/4");
        assertThat(ingress.asked().get(1).body()).isEqualTo("{\"decision\":\"yes\"}");
        assertThatExceptionOfType(ClientException.Conflict.class)
                .isThrownBy(() -> client.decide(JOB, 4, "yes"));
    }

    /// Trap: an answer is lost, the client asks again, and there are two jobs.
    @Test
    void aSubmissionWhoseAnswerIsLost_isSentAgainUnderTheSameKey() {
        ingress.hangsUp()
                .replies(503, "{\"error\":\"starting\"}", "Retry-After", "0")
                .replies(202, "{\"job_id\":\"job-1\"}");

        assertThat(client.submit(JobSubmission.of("hello", new Guest("Ada")))).isEqualTo(JOB);

        assertThat(ingress.asked()).hasSize(3);
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::body)
                .containsOnly(ingress.asked().getFirst().body());
        assertThat(ingress.asked().getFirst().body()).contains("\"idempotency_key\":\"");
    }

    @ParameterizedTest
    @CsvSource({
        "401, Unauthorized",
        "403, Unauthorized",
        "404, NotFound",
        "409, Conflict",
        "400, Invalid",
        "422, Invalid",
        "413, Invalid",
        "500, Failed"
    })
    void aRefusal_isTypedByWhatToDoNext_andNotTriedAgain(int status, String type) {
        ingress.replies(status, "{\"error\":\"no\",\"detail\":\"because\"}");

        assertThatExceptionOfType(ClientException.class)
                .isThrownBy(() -> client.find(JOB))
                .withMessage("looking at job job-1: " + status + " no (because)")
                .satisfies(e -> assertThat(e.getClass().getSimpleName()).isEqualTo(type));
        assertThat(ingress.asked()).hasSize(1);
    }

    @Test
    void everythingThatIsWrong_canBeRead() {
        ingress.replies(
                422,
                "{\"title\":\"Invalid\",\"problems\":[{\"path\":\"a.b\",\"problem\":\"is odd\"},\"c\"]}");

        assertThatExceptionOfType(ClientException.Invalid.class)
                .isThrownBy(() -> client.submit(JobSubmission.of("hello", "x")))
                .satisfies(e -> assertThat(e.problems()).containsExactly("a.b: is odd", "c"));
    }

    @Test
    void anOrchestratorThatStaysBusy_isTriedForTheTotalTimeOfTheRetryPolicy() {
        var oneTry = ArtelClient.of(ingress.uri(), "secret", RETRIES.withTotal(Duration.ZERO));
        ingress.replies(429, "{\"error\":\"slow down\"}", "Retry-After", "7");

        try (oneTry) {
            assertThatExceptionOfType(ClientException.TryLater.class)
                    .isThrownBy(() -> oneTry.find(JOB))
                    .satisfies(e -> assertThat(e.after()).isEqualTo(Duration.ofSeconds(7)));
        }
    }

    @Test
    void nobodyThere_isUnreachable() {
        ingress.close();
        try (var oneTry = ArtelClient.of(ingress.uri(), "", RETRIES.withTotal(Duration.ZERO))) {
            assertThatExceptionOfType(ClientException.Unreachable.class)
                    .isThrownBy(() -> oneTry.cancel(JOB))
                    .withMessageStartingWith(
                            "cancelling job job-1: nothing listens at http://127.0.0.1")
                    .withMessageEndingWith("; is the orchestrator running there?");
            assertThat(oneTry.isReady()).isFalse();
        }
    }

    @Test
    void aHostThatIsNone_isUnreachable() {
        var uri = URI.create("http://none.invalid:8080");
        try (var oneTry = ArtelClient.of(uri, "", RETRIES.withTotal(Duration.ZERO))) {
            assertThatExceptionOfType(ClientException.Unreachable.class)
                    .isThrownBy(() -> oneTry.cancel(JOB))
                    .withMessageStartingWith(
                            "cancelling job job-1: there is no host none.invalid; is");
        }
    }

    @Test
    void somethingElseThatAnswers_isNoOrchestrator() {
        ingress.replies(200, "<html>");

        assertThatExceptionOfType(ClientException.Failed.class)
                .isThrownBy(() -> client.find(JOB))
                .withMessageContaining("is it an orchestrator that answers there?");
    }

    @Test
    void waiting_goesOnUntilTheJobIsFinal() {
        ingress.replies(200, "{\"id\":\"job-1\",\"status\":\"running\"}")
                .replies(
                        200,
                        "{\"id\":\"job-1\",\"blueprint_name\":\"hello\",\"status\":\"finished\",\"version\":7,"
                                + "\"state_history\":{},\"result\":{\"text\":\"Hello\"}}");

        var done = client.awaitFinal(JOB, Duration.ofMinutes(1));

        assertThat(done.isFinal()).isTrue();
        assertThat(done.isFinished()).isTrue();
        assertThat(done.version()).isEqualTo(7);
        assertThat(done.resultAs(Greeting.class)).isEqualTo(new Greeting("Hello"));
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::path)
                .allMatch(path -> path.startsWith("/api/v1/jobs/job-1?wait="));
    }

    @Test
    void aJobThatFailed_hasNoResult() {
        ingress.replies(
                200, "{\"id\":\"job-1\",\"status\":\"failed\",\"error_message\":\"no paper\"}");

        assertThatIllegalStateException()
                .isThrownBy(() -> client.find(JOB).resultAs(Greeting.class))
                .withMessage("job job-1 has no result; it is failed: no paper");
    }

    /// Trap: a job is stuck, and no operator can find out why.
    @Test
    void aJobThatWaits_saysWhy_whereItsResultIsAskedFor() {
        ingress.replies(
                200,
                "{\"id\":\"job-1\",\"status\":\"waiting_for_worker\",\"tasks\":[{\"task\":0,"
                        + "\"waits_because\":{\"text\":\"none of 2 workers offers echo; start one"
                        + " that does\"}},{\"task\":1}]}");

        assertThatIllegalStateException()
                .isThrownBy(() -> client.find(JOB).resultAs(Greeting.class))
                .withMessage(
                        "job job-1 has no result; it is waiting_for_worker; none of 2 workers offers"
                                + " echo; start one that does");
    }

    @Test
    void theHistory_isReadToItsEnd() {
        ingress.replies(
                        200,
                        "{\"items\":[{\"version\":1,\"at\":\"2026-01-01T00:00:00Z\","
                                + "\"type\":\"job.submitted\"}],\"next_cursor\":\"a_b=\"}")
                .replies(
                        200,
                        "{\"items\":[{\"version\":2,\"at\":\"2026-01-01T00:00:01Z\","
                                + "\"type\":\"state.entered\"}]}");

        assertThat(client.history(JOB))
                .extracting(JobEvent::type)
                .containsExactly("job.submitted", "state.entered");
        assertThat(ingress.asked().getLast().path())
                .isEqualTo("/api/v1/jobs/job-1/history?limit=1000&cursor=a_b%3D");
    }

    private static String event(int version) {
        return "id: "
                + (100 + version)
                + "\nevent: x\ndata: {\"version\":"
                + version
                + ",\"type\":\"x\"}\n\n";
    }

    /// Trap: a stream that breaks loses events, or gives some twice.
    @Test
    void aStreamThatBreaks_isTakenUpWhereItBroke() {
        ingress.breaksOffAfter(
                        "retry: 2000\n\n: still here\n\n" + event(1) + event(2) + "id: 103\nda")
                .hangsUp()
                .replies(503, "{\"error\":\"stopping\"}")
                .replies(200, event(2) + event(3), "Content-Type", "text/event-stream")
                .replies(204, "");
        var versions = new ArrayList<Long>();

        try (var events = client.follow(JOB)) {
            for (var event : events) {
                versions.add(event.version());
            }
        }

        assertThat(versions).isEqualTo(List.of(1L, 2L, 3L));
        assertThat(ingress.asked())
                .extracting(ScriptedServer.Asked::lastEventId)
                .containsExactly("", "102", "102", "102", "103");
        assertThat(ingress.asked().getFirst().path()).isEqualTo("/api/v1/jobs/job-1/events");
    }

    @Test
    void aStreamOfNoJob_isRefused() {
        ingress.replies(404, "{\"error\":\"Job not found\",\"code\":\"job_not_found\"}");

        try (var events = client.follow(JOB)) {
            assertThatExceptionOfType(ClientException.NotFound.class)
                    .isThrownBy(() -> events.iterator().hasNext())
                    .satisfies(refused -> assertThat(refused.code()).contains("job_not_found"));
        }
    }

    @Test
    void anAddressThatIsNone_isRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArtelClient.of(URI.create("localhost:8080"), "secret"))
                .withMessageContaining("was localhost:8080");
    }
}
