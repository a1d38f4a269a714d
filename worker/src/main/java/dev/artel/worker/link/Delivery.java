package dev.artel.worker.link;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.ResultAnswer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Brings results to the orchestrator until it confirms them, however long it is away. What comes in while a
/// request is in flight travels in the next one.
final class Delivery implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(Delivery.class);
    private static final int MOST_BYTES = 4 << 20;

    /// How far requests are apart on average that carry less than they could.
    private static final Duration GAP = Duration.ofMillis(6);

    /// So many results are worth a request of their own.
    private static final int PLENTY = 64;

    private final Channel channel;
    private final LinkSettings settings;
    private final Registration registration;
    private final Outbox outbox;
    private final Pace pace = new Pace(GAP);
    private final byte[] head;
    private int failures;

    /// How many of the oldest results must travel alone, because one of them is the trouble.
    private int alone;

    Delivery(
            Channel channel,
            String workerId,
            LinkSettings settings,
            Registration registration,
            Outbox outbox) {
        this.channel = channel;
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
            Thread.sleep(pace.left());
        }
        var batch = outbox.await(max, MOST_BYTES);
        pace.begin();
        pace.carried(batch.size());
        if (batch.size() >= PLENTY) {
            pace.forgive();
        }
        try {
            if (batched) {
                onBatch(batch, channel.results(join(batch), settings.request()));
            } else {
                onSingle(
                        batch.getFirst(),
                        channel.result(batch.getFirst().envelope(), settings.request()));
            }
        } catch (IOException e) {
            failed(e.toString());
        }
    }

    private byte[] join(List<Parcel> batch) {
        var size = batch.stream().mapToInt(parcel -> parcel.envelope().length + 1).sum();
        var body = new ByteArrayOutputStream(head.length + size + 2);
        body.writeBytes(head);
        var first = true;
        for (var parcel : batch) {
            if (!first) {
                body.write(',');
            }
            first = false;
            body.writeBytes(parcel.envelope());
        }
        body.write(']');
        body.write('}');
        return body.toByteArray();
    }

    private void onBatch(List<Parcel> batch, Answer answer) throws InterruptedException {
        switch (answer.status()) {
            case 200 -> confirmed(batch, answer);
            case 404, 405 -> registration.refuseBatches();
            case 400, 413, 500 -> {
                if (batch.size() > 1) {
                    alone = batch.size();
                } else {
                    onSingle(batch.getFirst(), answer);
                }
            }
            default -> onSingle(batch.getFirst(), answer);
        }
    }

    private void confirmed(List<Parcel> batch, Answer answer) {
        try {
            var answers = ResultAnswer.readAll(answer.json());
            for (var i = 0; i < Math.min(answers.size(), batch.size()); i++) {
                if (answers.get(i).isRefused()) {
                    gaveUp(batch.get(i), String.valueOf(answers.get(i).reason()));
                }
            }
        } catch (MalformedMessage unreadable) {
            LOG.atWarn()
                    .addKeyValue("orchestrator", channel)
                    .addKeyValue("cause", unreadable.getMessage())
                    .log("the confirmation of results cannot be read");
        }
        batch.forEach(this::done);
    }

    private void onSingle(Parcel parcel, Answer answer) throws InterruptedException {
        switch (answer.status()) {
            case 200 -> done(parcel);
            case 400, 401, 403 -> {
                gaveUp(parcel, answer.text());
                done(parcel);
            }
            case 404 -> {
                if (isAboutTheJob(answer)) {
                    gaveUp(parcel, answer.text());
                    done(parcel);
                } else {
                    failed(answer.text());
                }
            }
            case 413 -> replace(parcel);
            case 429 -> {
                failures++;
                Thread.sleep(settings.silence(answer, registration.dialect(), failures));
            }
            default -> {
                outbox.defer(parcel);
                failed(answer.text());
            }
        }
    }

    /// A 404 of the application, which is final, has a JSON body; that of a proxy or a router has none.
    private static boolean isAboutTheJob(Answer answer) {
        try {
            return answer.json() instanceof JsonObject body && body.string("error").isPresent();
        } catch (MalformedMessage otherwise) {
            return false;
        }
    }

    private void replace(Parcel parcel) throws InterruptedException {
        LOG.atError()
                .addKeyValue("task", parcel.result().taskId())
                .addKeyValue("bytes", parcel.envelope().length)
                .log("result too large for the orchestrator; reporting a failure instead");
        done(parcel);
        if (!parcel.isReplacement()) {
            outbox.putAnyway(parcel.tooLarge());
        }
    }

    private void done(Parcel parcel) {
        failures = 0;
        alone = Math.max(0, alone - 1);
        outbox.remove(parcel);
    }

    private void gaveUp(Parcel parcel, String cause) {
        LOG.atError()
                .addKeyValue("orchestrator", channel)
                .addKeyValue("job", parcel.result().jobId())
                .addKeyValue("task", parcel.result().taskId())
                .addKeyValue("answer", cause)
                .log("the orchestrator refuses a result for good; dropped");
    }

    private void failed(String cause) throws InterruptedException {
        failures++;
        Duration wait = settings.backoff().after(failures);
        LOG.atWarn()
                .addKeyValue("orchestrator", channel)
                .addKeyValue("cause", cause)
                .addKeyValue("failures", failures)
                .log("results not delivered; trying again");
        Thread.sleep(wait);
    }
}
