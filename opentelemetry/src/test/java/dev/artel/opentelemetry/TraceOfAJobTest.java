package dev.artel.opentelemetry;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.client.ArtelClient;
import dev.artel.client.JobRef;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.client.JobView;
import dev.artel.config.OperationsSettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.TraceSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import dev.artel.worker.Handler;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One trace for each job: from its client to the code in its handlers, over a restart of the orchestrator.
final class TraceOfAJobTest {
    private static final Duration LONG = Await.longest();

    private TraceCollector collector;
    private SdkTracerProvider provider;
    private OpenTelemetry sdk;

    @TempDir private Path data;

    private static Blueprints blueprints() {
        var retry = RetryPolicy.DEFAULTS.withDelays(Duration.ofMillis(10), Duration.ofMillis(10));
        var painter =
                Blueprint.named("painter")
                        .start(
                                "paint",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("paint", step.initialData()),
                                                Outcomes.on("success", "end")))
                        .leadingTo("end")
                        .end("end")
                        .build();
        var album =
                Blueprint.named("album")
                        .start(
                                "render",
                                step ->
                                        Action.dispatchParallel(
                                                List.of(
                                                        render("good", retry),
                                                        render("flaky", retry)),
                                                "cover"))
                        .leadingTo("cover")
                        .state(
                                "cover",
                                step ->
                                        Action.runBlueprint(
                                                "painter",
                                                JsonObject.EMPTY,
                                                Outcomes.on(Outcomes.FINISHED, "done")))
                        .leadingTo("done")
                        .end("done")
                        .build();
        return Blueprints.of(painter, album, tour());
    }

    /// Branches, a new run whose tasks are numbered anew, and a wait in which it is cancelled.
    private static Blueprint tour() {
        return Blueprint.named("tour")
                .start("start", _ -> Action.fork(List.of("left", "right"), "joined"))
                .leadingTo("left", "right", "joined")
                .state(
                        "left",
                        _ ->
                                Action.dispatch(
                                        TaskSpec.of("render", how("left")),
                                        Outcomes.on("success", "over")))
                .leadingTo("over")
                .state("right", _ -> Action.endBranch())
                .state("over", _ -> Action.endBranch())
                .state("joined", _ -> Action.continueAsNew("again", JsonObject.EMPTY))
                .leadingTo("again")
                .state(
                        "again",
                        _ ->
                                Action.dispatchParallel(
                                        List.of(
                                                TaskSpec.of("render", how("one")),
                                                TaskSpec.of("render", how("two"))),
                                        "wait"))
                .leadingTo("wait")
                .state("wait", _ -> Action.awaitSignal("go", "end"))
                .leadingTo("end")
                .end("end")
                .build();
    }

    private static JsonObject how(String how) {
        return JsonObject.of("how", JsonValue.of(how));
    }

    private static TaskSpec render(String how, RetryPolicy retry) {
        return TaskSpec.of("render", JsonObject.of("how", JsonValue.of(how))).withRetry(retry);
    }

    @BeforeEach
    void start() throws Exception {
        collector = new TraceCollector();
        provider =
                SdkTracerProvider.builder()
                        .setResource(Resource.builder().put("service.name", "program").build())
                        .addSpanProcessor(
                                SimpleSpanProcessor.create(
                                        OtlpHttpSpanExporter.builder()
                                                .setEndpoint(collector.uri() + "/v1/traces")
                                                .build()))
                        .build();
        sdk =
                new OpenTelemetry() {
                    @Override
                    public TracerProvider getTracerProvider() {
                        return provider;
                    }

                    @Override
                    public ContextPropagators getPropagators() {
                        return ContextPropagators.noop();
                    }
                };
    }

    @AfterEach
    void stop() {
        provider.close();
        collector.close();
    }

    private ArtelNode node(TraceSettings traces) {
        var config =
                ServerConfig.DEFAULTS
                        .withPort(0)
                        .withData(data)
                        .withIngress(
                                ServerConfig.DEFAULTS
                                        .ingress()
                                        .withOperations(
                                                OperationsSettings.DEFAULTS.withTraces(traces)));
        return ArtelNode.start(config, blueprints());
    }

    private TraceSettings traces() {
        var headers = new LinkedHashMap<String, String>();
        headers.put("api-key", "key-of-the-tests");
        return TraceSettings.DEFAULTS.withEndpoint(collector.uri()).withHeaders(headers);
    }

    private Worker worker(ArtelNode node, String type, Handler<JsonObject> handler) {
        var worker =
                Worker.named("worker-of-" + type)
                        .orchestrator(node.uri(), node.workerToken())
                        .tracer(HandlerSpans.of(sdk))
                        .handle(type, JsonObject.class, handler)
                        .withoutShutdownHook()
                        .build();
        worker.start();
        return worker;
    }

    private void inner(String name) {
        sdk.getTracer("handler").spanBuilder(name).startSpan().end();
    }

    /// Trap: spans that were open at a restart are missing, or are there twice, or hang below none.
    @Test
    void aJob_isOneTree_overARetryAFanOutAChildAndARestart() throws Exception {
        JobRef job;
        try (var node = node(traces());
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var _ =
                        worker(
                                node,
                                "render",
                                (params, task) -> {
                                    inner("draw " + params.string("how").orElseThrow());
                                    if (task.attempt() == 1
                                            && params.string("how").orElseThrow().equals("flaky")) {
                                        throw new IllegalStateException("out of ink");
                                    }
                                    return Result.success();
                                })) {
            job =
                    SubmissionSpans.of(client, sdk)
                            .submit(JobSubmission.of("album", JsonObject.EMPTY));
            await().until(() ->
                    client
                            .tasks(
                                    client.children(job).stream()
                                            .findFirst()
                                            .map(JobView::job)
                                            .orElse(job))
                            .stream()
                            .anyMatch(task -> task.type().equals("paint")));
            awaitSpans("handler paint", 1);
        }

        try (var node = node(traces());
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var _ =
                        worker(
                                node,
                                "paint",
                                (params, task) -> {
                                    inner("brush");
                                    return Result.success();
                                })) {
            assertThat(client.awaitFinal(job, LONG).isFinal()).isTrue();
            awaitSpans("job album", 1);
        }
        awaitSpansOfWorkers();

        assertThat(collector.tree())
                .isEqualTo(
                        """
                        submit album
                          job album
                            state cover
                              child painter
                                job painter
                                  state end
                                    handler end
                                  state paint
                                    handler paint
                                    task paint
                                      attempt 1
                                        handle paint
                                          brush
                                      queued
                              handler cover
                            state done
                              handler done
                            state render
                              handler render
                              task render
                                attempt 1
                                  handle render
                                    draw good
                                queued
                              task render
                                attempt 1 !
                                  handle render !
                                    draw flaky
                                attempt 2
                                  handle render
                                    draw flaky
                                queued
                                queued
                        """);
        var spans = collector.spans();
        assertThat(spans.stream().map(TraceCollector.Got::trace).collect(Collectors.toSet()))
                .hasSize(1);
        assertThat(spans.stream().map(TraceCollector.Got::id)).doesNotHaveDuplicates();
        assertThat(collector.keys()).contains("key-of-the-tests");

        var flaky = named(spans, "attempt 1").stream().filter(TraceOfAJobTest::hasFailed).toList();
        assertThat(flaky).hasSize(1);
        assertThat(flaky.getFirst().attribute("artel.worker.id")).contains("worker-of-render");
        assertThat(flaky.getFirst().attribute("artel.worker.wire")).contains("http");
        assertThat(flaky.getFirst().attribute("artel.outcome")).contains("failed");
        assertThat(flaky.getFirst().span().getStatus().getMessage()).contains("out of ink");
        assertThat(named(spans, "attempt 2").getFirst().links())
                .containsExactly(flaky.getFirst().id());
        assertThat(named(spans, "child painter").getFirst().links())
                .containsExactly(named(spans, "job painter").getFirst().id());
    }

    /// Those of handlers are sent by themselves, after the result.
    private void awaitSpansOfWorkers() {
        assertThat(provider.forceFlush().join(Await.seconds(), TimeUnit.SECONDS))
                .extracting(CompletableResultCode::isSuccess)
                .isEqualTo(true);
    }

    /// What an orchestrator that is closed has not sent within three seconds is lost.
    private void awaitSpans(String name, int count) {
        await(count + " spans " + name).until(() -> named(collector.spans(), name).size() >= count);
    }

    private static List<TraceCollector.Got> named(List<TraceCollector.Got> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    private static boolean hasFailed(TraceCollector.Got span) {
        return span.span().getStatus().getCodeValue() == 2;
    }

    /// Trap: a job without a trace of a client gets one that changes with the restart, or that its children do not share.
    @Test
    void aJobWithoutATraceOfItsClient_hasOneWithItsChildrenAndAForkIsLinked() throws Exception {
        try (var node = node(traces());
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var _ = worker(node, "render", (_, _) -> Result.success());
                var _ = worker(node, "paint", (_, _) -> Result.success())) {
            var job = client.submit(JobSubmission.of("album", JsonObject.EMPTY));
            assertThat(client.awaitFinal(job, LONG).isFinal()).isTrue();
            var fork = client.fork(job, "render", JsonObject.EMPTY);
            assertThat(client.awaitFinal(fork, LONG).isFinal()).isTrue();
            awaitSpans("job album", 2);
        }
        awaitSpansOfWorkers();
        var spans = collector.spans();
        var jobs = named(spans, "job album");
        assertThat(jobs).hasSize(2);
        assertThat(jobs).extracting(TraceCollector.Got::parent).containsOnly("");
        var fork =
                jobs.stream()
                        .filter(it -> it.attribute("artel.job.forked_off").isPresent())
                        .findFirst()
                        .orElseThrow();
        var origin = jobs.stream().filter(it -> !it.equals(fork)).findFirst().orElseThrow();
        assertThat(fork.links()).containsExactly(origin.id());
        assertThat(spans.stream().filter(it -> it.trace().equals(origin.trace())))
                .extracting(TraceCollector.Got::name)
                .contains("job painter", "handle paint", "attempt 1");
    }

    /// Trap: a client that does not sample its trace gets spans of jobs without their root.
    @Test
    void whatTheClientDoesNotSample_isNotSent() throws Exception {
        try (var node = node(traces());
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var _ = worker(node, "render", (_, _) -> Result.success());
                var _ = worker(node, "paint", (_, _) -> Result.success())) {
            var unsampled = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";
            var job =
                    client.submit(
                            JobSubmission.of("album", JsonObject.EMPTY).withTrace(unsampled, ""));
            assertThat(client.awaitFinal(job, LONG).isFinal()).isTrue();
        }
        assertThat(collector.spans()).isEmpty();
    }

    /// Trap: jobs wait for a collector that is not there, or the spans that it lacks are nowhere counted.
    @Test
    void aCollectorThatIsNotThere_holdsUpNoJob_andItsSpansAreCounted() throws Exception {
        var nowhere = TraceSettings.DEFAULTS.withEndpoint(collector.uri());
        collector.close();
        try (var node = node(nowhere);
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var _ = worker(node, "render", (_, _) -> Result.success());
                var _ = worker(node, "paint", (_, _) -> Result.success())) {
            var job = client.submit(JobSubmission.of("album", JsonObject.EMPTY));

            assertThat(client.awaitFinal(job, LONG).isFinal()).isTrue();
            await().untilAsserted(() ->
                    assertThat(client.api().text("/metrics"))
                            .containsPattern(
                                    "artel_traces_spans_total\\{outcome=\"failed\"\\} [1-9]"));
        }
    }

    @Test
    void withoutACollector_theTraceOfTheClientIsHandedOnAsItIs() throws Exception {
        var given = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        var got = new ConcurrentLinkedQueue<String>();
        try (var node = node(TraceSettings.DEFAULTS);
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var _ =
                        worker(
                                node,
                                "paint",
                                (_, task) -> {
                                    got.add(task.tracingContext().string("traceparent").orElse(""));
                                    return Result.success();
                                })) {
            var job =
                    client.submit(
                            JobSubmission.of("painter", JsonObject.EMPTY).withTrace(given, ""));
            assertThat(client.awaitFinal(job, LONG).isFinal()).isTrue();
        }
        assertThat(got).containsExactly(given);
    }

    /// Trap: what a branch does hangs below another one, a new run reuses the ids of the last one, or a cancel leaves spans open.
    @Test
    void branchesANewRunAndACancel_areInTheTree() throws Exception {
        try (var node = node(traces());
                var client = ArtelClient.of(node.uri(), node.clientToken());
                var _ =
                        worker(
                                node,
                                "render",
                                (params, _) -> {
                                    inner("draw " + params.string("how").orElseThrow());
                                    return Result.success();
                                })) {
            var job = client.submit(JobSubmission.of("tour", JsonObject.EMPTY));
            await().until(() -> client.find(job).status() == JobStatus.WAITING_FOR_SIGNAL);
            client.cancel(job);
            assertThat(client.awaitFinal(job, LONG).status()).isEqualTo(JobStatus.CANCELLED);
            awaitSpans("job tour", 1);
        }
        awaitSpansOfWorkers();

        assertThat(collector.tree())
                .isEqualTo(
                        """
                        job tour
                          state again
                            handler again
                            task render
                              attempt 1
                                handle render
                                  draw one
                              queued
                            task render
                              attempt 1
                                handle render
                                  draw two
                              queued
                          state joined
                            handler joined
                          state start
                            handler start
                            state left
                              handler left
                              task render
                                attempt 1
                                  handle render
                                    draw left
                                queued
                            state over
                              handler over
                            state right
                              handler right
                          state wait
                            handler wait
                        """);
        var spans = collector.spans();
        assertThat(spans.stream().map(TraceCollector.Got::id)).doesNotHaveDuplicates();
        assertThat(named(spans, "job tour").getFirst().attribute("artel.outcome"))
                .contains("cancelled");
        assertThat(named(spans, "state wait").getFirst().span().getEventsList())
                .extracting(Span.Event::getName)
                .contains("signal awaited");
    }
}
