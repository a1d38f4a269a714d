package dev.artel.server.api.submit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.artel.access.Caller;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.TraceContext;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.JsonErrors;
import dev.artel.server.api.http.UnknownNames;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Submitting jobs.
public final class SubmitRoutes {
    private static final int MOST_AT_ONCE = 1000;
    private static final int BULK_BODIES = 8;

    private final SubmissionGate gate;
    private final Bodies bodies;
    private final Bodies bulkBodies;
    private final InstantSource clock;

    /// Routes that submit jobs through `gate`.
    ///
    /// @param maxBodyBytes larger bodies are refused; those with several jobs may have eight times as much
    public SubmitRoutes(SubmissionGate gate, int maxBodyBytes, InstantSource clock) {
        this.gate = gate;
        this.bodies = new Bodies(maxBodyBytes);
        this.bulkBodies = new Bodies(BULK_BODIES * maxBodyBytes);
        this.clock = clock;
    }

    /// Submits a job that the body describes.
    public void submit(Context request, Caller caller) {
        var submission =
                JobRequest.read(
                        bodies.json(request),
                        caller,
                        request.header("Idempotency-Key"),
                        clock.instant());
        answer(request, gate.accept(submission, Traces.of(request), caller));
    }

    /// Submits a job of the blueprint in the path: the body is its initial data, and the query has its options.
    public void submitData(Context request, Caller caller) {
        var submission =
                JobRequest.readData(
                        request.pathParam("id"),
                        bodies.json(request),
                        request.queryParamMap(),
                        caller,
                        request.header("Idempotency-Key"),
                        clock.instant());
        answer(request, gate.accept(submission, Traces.of(request), caller));
    }

    /// Submits a job as clients of the first generation do: the body is initial data, or describes a job.
    public void submitAsOfOld(Context request, Caller caller) {
        var submission =
                JobRequest.guessFor(
                        request.pathParam("id"),
                        bodies.json(request),
                        caller,
                        request.header("Idempotency-Key"),
                        clock.instant());
        answer(request, gate.accept(submission, Traces.of(request), caller));
    }

    private static void answer(Context request, JobId job) {
        Answers.json(
                request,
                202,
                ("{\"status\":\"accepted\",\"job_id\":\"" + job + "\"}").getBytes(US_ASCII));
    }

    /// Each job stands for itself: one that is refused takes no other along.
    public void submitAll(Context request, Caller caller) {
        var wanted = wanted(bulkBodies.json(request));
        var results = new ArrayList<JsonValue>();
        var accepted = 0;
        for (var result : submitAll(wanted, Traces.of(request), caller)) {
            results.add(result);
            accepted += result.has("job_id") ? 1 : 0;
        }
        Answers.json(
                request,
                200,
                JsonObject.builder()
                        .put("accepted", accepted)
                        .put("refused", results.size() - accepted)
                        .put("results", new JsonArray(results))
                        .build());
    }

    private static JsonArray wanted(JsonValue body) {
        if (!(body instanceof JsonObject fields)
                || !(fields.get("jobs").orElse(null) instanceof JsonArray jobs)) {
            throw HttpRefusal.invalidJson(
                    "the body must be an object with an array jobs, was " + body.kind());
        }
        var others = fields.names().stream().filter(name -> !name.equals("jobs")).findFirst();
        if (others.isPresent()) {
            throw HttpRefusal.invalidJson(
                    "unknown field " + UnknownNames.shortened(others.get()) + "; there is [jobs]");
        }
        if (jobs.size() == 0 || jobs.size() > MOST_AT_ONCE) {
            throw HttpRefusal.invalidJson(
                    "jobs must have 1 to " + MOST_AT_ONCE + " entries, had " + jobs.size());
        }
        return jobs;
    }

    /// All at once, so that they become durable together.
    private List<JsonObject> submitAll(
            JsonArray jobs, Optional<TraceContext> trace, Caller caller) {
        var results = new ArrayList<JsonObject>();
        try (var threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("artel-submission-", 0).factory())) {
            var waiting = new ArrayList<Future<JsonObject>>();
            for (var job : jobs) {
                waiting.add(threads.submit(() -> one(job, trace, caller)));
            }
            for (var result : waiting) {
                results.add(result.get());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while jobs were submitted", stopped);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("submitting a job failed", failed);
        }
        return results;
    }

    private JsonObject one(JsonValue job, Optional<TraceContext> trace, Caller caller) {
        try {
            var asked = JobRequest.read(job, caller, null, clock.instant());
            var id = gate.accept(asked, trace, caller);
            return JsonObject.of(
                    "status", JsonValue.of("accepted"), "job_id", JsonValue.of(id.value()));
        } catch (HttpRefusal refusal) {
            return refused(refusal);
        } catch (ValueTooLarge tooLarge) {
            return refused(JsonErrors.refusal(tooLarge));
        } catch (StoreException away) {
            return refused(JsonErrors.refusal(away));
        }
    }

    private static JsonObject refused(HttpRefusal refusal) {
        return JsonObject.builder()
                .put("status", "refused")
                .put("http_status", refusal.status())
                .putAll(refusal.reason())
                .build();
    }
}
