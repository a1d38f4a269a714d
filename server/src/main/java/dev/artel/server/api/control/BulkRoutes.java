package dev.artel.server.api.control;

import dev.artel.access.Caller;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.job.JobId;
import dev.artel.server.api.access.ApiAuthenticator;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Bodies;
import dev.artel.server.api.http.Flags;
import dev.artel.server.api.jobs.ListRoutes;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.List;
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
            var tally = new BulkTally(isDry);
            tally.matched(page.rows().size(), page.rows().size() - live.size());
            if (!isDry) {
                askAll(live, command, tally);
            }
            tally.answer(request, asked.cursorBehind(page.next()));
        } finally {
            apiAuthenticator.giveBackForJobs(caller, taken - reached);
        }
    }

    /// All at once, so that they become durable together; counted in the order of `jobs`.
    private static void askAll(
            List<JobId> jobs, Function<JobId, CommandReply> command, BulkTally tally) {
        try (var threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("artel-bulk-", 0).factory())) {
            var waiting = new ArrayList<Future<BulkTally.Outcome>>();
            for (var job : jobs) {
                waiting.add(threads.submit(() -> BulkTally.outcome(() -> command.apply(job))));
            }
            for (var i = 0; i < jobs.size(); i++) {
                tally.add(jobs.get(i), waiting.get(i).get());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while jobs were asked", stopped);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("asking a job failed", failed);
        }
    }
}
