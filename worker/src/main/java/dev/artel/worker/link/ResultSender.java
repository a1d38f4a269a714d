package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.ResultAnswer;
import dev.artel.worker.wire.OrchestratorResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings results to the orchestrator until it confirms them, however long it is away. What comes in while a
/// request is in flight travels in the next one.
final class ResultSender implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(ResultSender.class);
    private static final int MOST_BYTES = 4 << 20;

    /// How far requests are apart on average that carry less than they could.
    private static final Duration GAP = Duration.ofMillis(6);

    /// So many results are worth a request of their own.
    private static final int PLENTY = 64;

    private final OrchestratorClient orchestratorClient;
    private final LinkSettings settings;
    private final RegistrationState registration;
    private final PendingResults outbox;
    private final BatchPacer batchPacer = new BatchPacer(GAP);
    private final byte[] head;
    private int failures;

    /// How many of the oldest results must travel alone, because one of them is the trouble.
    private int alone;

    ResultSender(
            OrchestratorClient orchestratorClient,
            String workerId,
            LinkSettings settings,
            RegistrationState registration,
            PendingResults outbox) {
        this.orchestratorClient = orchestratorClient;
        this.settings = settings;
        this.registration = registration;
        this.outbox = outbox;
        var worker = JsonValue.of(workerId);
        head = ("{\"worker_id\":" + worker + ",\"results\":[").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void turn() throws InterruptedException {
        registration.awaitFirst();
        var batched = registration.takesBatches();
        var max = batched && alone == 0 ? settings.maxBatch() : 1;
        if (batched && alone == 0) {
            outbox.awaitAny();
            Thread.sleep(batchPacer.left());
        }
        var batch = outbox.await(max, MOST_BYTES);
        batchPacer.begin();
        batchPacer.carried(batch.size());
        if (batch.size() >= PLENTY) {
            batchPacer.forgive();
        }
        try {
            if (batched) {
                onBatch(batch, orchestratorClient.results(join(batch), settings.request()));
            } else {
                onSingle(
                        batch.getFirst(),
                        orchestratorClient.result(batch.getFirst().envelope(), settings.request()));
            }
        } catch (IOException e) {
            failed(e.toString());
        }
    }

    private byte[] join(List<PendingResult> batch) {
        var size =
                batch.stream().mapToInt(pendingResult -> pendingResult.envelope().length + 1).sum();
        var body = new ByteArrayOutputStream(head.length + size + 2);
        body.writeBytes(head);
        var first = true;
        for (var pendingResult : batch) {
            if (!first) {
                body.write(',');
            }
            first = false;
            body.writeBytes(pendingResult.envelope());
        }
        body.write(']');
        body.write('}');
        return body.toByteArray();
    }

    private void onBatch(List<PendingResult> batch, OrchestratorResponse orchestratorResponse)
            throws InterruptedException {
        switch (orchestratorResponse.status()) {
            case 200 -> confirmed(batch, orchestratorResponse);
            case 404, 405 -> registration.refuseBatches();
            case 400, 413, 500 -> {
                if (batch.size() > 1) {
                    alone = batch.size();
                } else {
                    onSingle(batch.getFirst(), orchestratorResponse);
                }
            }
            default -> onSingle(batch.getFirst(), orchestratorResponse);
        }
    }

    private void confirmed(List<PendingResult> batch, OrchestratorResponse orchestratorResponse) {
        try {
            var answers = ResultAnswer.readAll(orchestratorResponse.json());
            for (var i = 0; i < Math.min(answers.size(), batch.size()); i++) {
                if (answers.get(i).isRefused()) {
                    gaveUp(batch.get(i), String.valueOf(answers.get(i).reason()));
                }
            }
        } catch (MalformedMessage unreadable) {
            LOG.atWarn()
                    .addKeyValue("orchestrator", orchestratorClient)
                    .addKeyValue("cause", unreadable.getMessage())
                    .log("the confirmation of results cannot be read");
        }
        batch.forEach(this::done);
    }

    private void onSingle(PendingResult pendingResult, OrchestratorResponse orchestratorResponse)
            throws InterruptedException {
        switch (orchestratorResponse.status()) {
            case 200 -> done(pendingResult);
            case 400, 401, 403 -> {
                gaveUp(pendingResult, orchestratorResponse.text());
                done(pendingResult);
            }
            case 404 -> {
                if (isAboutTheJob(orchestratorResponse)) {
                    gaveUp(pendingResult, orchestratorResponse.text());
                    done(pendingResult);
                } else {
                    failed(orchestratorResponse.text());
                }
            }
            case 413 -> replace(pendingResult);
            case 429 -> {
                failures++;
                Thread.sleep(
                        settings.silence(
                                orchestratorResponse, registration.protocolVersion(), failures));
            }
            default -> {
                outbox.defer(pendingResult);
                failed(orchestratorResponse.text());
            }
        }
    }

    /// A 404 of the application, which is final, has a JSON body; that of a proxy or a router has none.
    private static boolean isAboutTheJob(OrchestratorResponse orchestratorResponse) {
        try {
            return orchestratorResponse.json() instanceof JsonObject body
                    && body.string("error").isPresent();
        } catch (MalformedMessage otherwise) {
            return false;
        }
    }

    private void replace(PendingResult pendingResult) throws InterruptedException {
        LOG.atError()
                .addKeyValue("task", pendingResult.result().taskId())
                .addKeyValue("bytes", pendingResult.envelope().length)
                .log("result too large for the orchestrator; reporting a failure instead");
        done(pendingResult);
        if (!pendingResult.isReplacement()) {
            outbox.putAnyway(pendingResult.tooLarge());
        }
    }

    private void done(PendingResult pendingResult) {
        failures = 0;
        alone = Math.max(0, alone - 1);
        outbox.remove(pendingResult);
    }

    private void gaveUp(PendingResult pendingResult, String cause) {
        LOG.atError()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("job", pendingResult.result().jobId())
                .addKeyValue("task", pendingResult.result().taskId())
                .addKeyValue("answer", cause)
                .log("the orchestrator refuses a result for good; dropped");
    }

    private void failed(String cause) throws InterruptedException {
        failures++;
        Duration wait = settings.backoff().after(failures);
        LOG.atWarn()
                .addKeyValue("orchestrator", orchestratorClient)
                .addKeyValue("cause", cause)
                .addKeyValue("failures", failures)
                .log("results not delivered; trying again");
        Thread.sleep(wait);
    }
}
