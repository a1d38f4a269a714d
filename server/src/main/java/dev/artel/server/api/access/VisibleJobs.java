package dev.artel.server.api.access;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.kernel.engine.Engine;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import io.javalin.http.Context;

/// The jobs that a caller may know of. A job of another client is answered like one that is not there.
public final class VisibleJobs {
    private final EventStore store;

    /// Those of `store`.
    public VisibleJobs(EventStore store) {
        this.store = store;
    }

    /// The job that the path names.
    ///
    /// @throws HttpRefusal if there is none that the caller may see
    public JobRow of(Context request, Caller caller) {
        return store.find(idOf(request))
                .filter(row -> caller.sees(row.client()))
                .orElseThrow(VisibleJobs::notFound);
    }

    /// The id of the job that the path names; the store is not read for one in memory.
    ///
    /// @throws HttpRefusal if there is none that the caller may see
    public JobId idOf(Context request, Caller caller, Engine engine) {
        var id = idOf(request);
        var live = engine.live(id);
        if (live.isEmpty()) {
            return of(request, caller).id();
        }
        if (!caller.sees(live.get().spec().client())) {
            throw notFound();
        }
        return id;
    }

    /// The id that the path names; whether there is such a job, and who sees it, is open.
    ///
    /// @throws HttpRefusal if it cannot be the id of a job
    public static JobId idOf(Context request) {
        var id = request.pathParam("id");
        if (!JobId.isValid(id)) {
            throw notFound();
        }
        return new JobId(id);
    }

    /// The answer where there is no such job, or the caller may not know of it.
    public static HttpRefusal notFound() {
        return new HttpRefusal(ErrorCode.JOB_NOT_FOUND, "Job not found");
    }
}
