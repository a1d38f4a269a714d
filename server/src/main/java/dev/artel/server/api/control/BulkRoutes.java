package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.ValueTooLarge;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.Refusals;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Flags;
import dev.artel.server.api.http.JsonErrors;
import dev.artel.server.api.http.PageRequest;
import dev.artel.server.api.jobs.ListRoutes;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/// Cancels, pauses, resumes, or sends a signal to, all jobs that a filter lets through: a page at a time, each job for itself. Done again, it
/// does what is left.
public final class BulkRoutes {
    private final Lifecycle lifecycle;
    private final ListRoutes lists;
    private final ApiAuthenticator apiAuthenticator;
    private final Bodies bodies;

    /// Routes that act on jobs that `lists` finds.
    ///
    /// @param maxBodyBytes larger bodies are refused
    public BulkRoutes(
            Lifecycle lifecycle,
            ListRoutes lists,
            ApiAuthenticator apiAuthenticator,
            int maxBodyBytes) {
        this.lifecycle = lifecycle;
        this.lists = lists;
        this.apiAuthenticator = apiAuthenticator;
        bodies = new Bodies(maxBodyBytes);
    }

    /// What became of one job.
    private sealed interface Outcome {}

    /// The command changed it.
    private record Changed() implements Outcome {}

    /// It knew that already.
    private record Known() implements Outcome {}

    /// It had ended.
    private record Over() implements Outcome {}

    private record Failed(HttpRefusal refusal) implements Outcome {}

    /// Cancels all jobs that the filter lets through.
    public void cancel(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var reason = "cancelled by client " + caller.name() + ", with others";
        run(request, caller, job -> engine.cancel(job, reason));
    }

    /// Sends a signal to all jobs that the filter lets through.
    public void signal(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var signal = SignalRoutes.name(request);
        var body = bodies.object(request, SignalRoutes.FIELDS);
        var id = SignalRoutes.id(request, body);
        var payload = SignalRoutes.payload(body);
        run(request, caller, job -> engine.signal(job, signal, id, payload, caller.name()));
    }

    /// Pauses all jobs that the filter lets through.
    public void pause(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var reason = ControlRoutes.reason(request, bodies);
        run(request, caller, job -> engine.pause(job, reason, ControlRoutes.nameOf(caller)));
    }

    /// Resumes all jobs that the filter lets through.
    public void resume(Context request, Caller caller) {
        var engine = lifecycle.engine();
        var _ = bodies.objectIfAny(request, List.of());
        run(request, caller, job -> engine.resume(job, ControlRoutes.nameOf(caller)));
    }

    /// Each job that is reached counts as a request of its own against the rate of the client.
    private void run(Context request, Caller caller, Function<JobId, CommandReply> command) {
        var isDry = Flags.of(request, "dry_run");
        var wanted = ListRoutes.manyJobs(request);
        var taken = isDry ? 0 : apiAuthenticator.takeForJobs(caller, wanted.limit());
        var asked = isDry ? wanted : wanted.withLimit(taken);
        var reached = 0;
        try {
            var page = lists.ofFilter(request, asked, caller);
            var live =
                    page.rows().stream()
                            .filter(row -> !row.isFinal())
                            .map(row -> row.id())
                            .toList();
            reached = isDry ? 0 : live.size();
            answer(request, asked, page, live, isDry ? List.of() : outcomes(live, command));
        } finally {
            apiAuthenticator.giveBackForJobs(caller, taken - reached);
        }
    }

    private static void answer(
            Context request,
            PageRequest asked,
            JobPage page,
            List<JobId> live,
            List<Outcome> outcomes) {
        var failures = new ArrayList<JsonValue>();
        for (var i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof Failed(var refusal)) {
                failures.add(
                        JsonObject.builder()
                                .put("job_id", live.get(i).value())
                                .put("http_status", refusal.status())
                                .putAll(refusal.reason())
                                .build());
            }
        }
        var counts =
                JsonObject.builder()
                        .put("matched", page.rows().size())
                        .put("over", page.rows().size() - live.size() + count(outcomes, Over.class))
                        .put("done", count(outcomes, Changed.class))
                        .put("unchanged", count(outcomes, Known.class))
                        .put("failed", failures.size())
                        .put("dry_run", Flags.of(request, "dry_run"))
                        .build();
        request.attribute(ApiAuthenticator.DETAIL, counts.toString());
        Answers.json(request, 200, answer(counts, failures, asked, page));
    }

    private static JsonObject answer(
            JsonObject counts, List<JsonValue> failures, PageRequest asked, JobPage page) {
        var answer =
                JsonObject.builder()
                        .putAll(counts)
                        .put("failures", new JsonArray(List.copyOf(failures)));
        page.next()
                .ifPresent(place -> answer.put("next_cursor", asked.cursor(Long.toString(place))));
        return answer.build();
    }

    private static int count(List<Outcome> outcomes, Class<? extends Outcome> kind) {
        return (int) outcomes.stream().filter(kind::isInstance).count();
    }

    /// All at once, so that they become durable together; in the order of `jobs`.
    private static List<Outcome> outcomes(List<JobId> jobs, Function<JobId, CommandReply> command) {
        var outcomes = new ArrayList<Outcome>();
        try (var threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("artel-bulk-", 0).factory())) {
            var waiting = new ArrayList<Future<Outcome>>();
            for (var job : jobs) {
                waiting.add(threads.submit(() -> outcome(job, command)));
            }
            for (var each : waiting) {
                outcomes.add(each.get());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while jobs were asked", stopped);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("asking a job failed", failed);
        }
        return outcomes;
    }

    private static Outcome outcome(JobId job, Function<JobId, CommandReply> command) {
        try {
            return switch (command.apply(job)) {
                case CommandReply.Done(boolean changed) -> changed ? new Changed() : new Known();
                case CommandReply.Refused(var reason, var detail) ->
                        isOver(reason).orElseGet(() -> new Failed(Refusals.of(reason, detail)));
                case CommandReply.TryLater(var after, var detail) ->
                        new Failed(HttpRefusal.later(after, detail));
            };
        } catch (ValueTooLarge tooLarge) {
            return new Failed(JsonErrors.refusal(tooLarge));
        } catch (StoreException away) {
            return new Failed(JsonErrors.refusal(away));
        }
    }

    /// It ended, or was removed, after the list was read.
    private static Optional<Outcome> isOver(Decision.Reason reason) {
        return reason == Decision.Reason.FINAL || reason == Decision.Reason.UNKNOWN_JOB
                ? Optional.of(new Over())
                : Optional.empty();
    }
}
