package dev.artel.server.api.access;

import dev.artel.access.Caller;
import dev.artel.kernel.engine.SubmitReply;
import java.util.function.Supplier;

/// What a new job costs its client: one of its quota, and a place among its open jobs. Safe for use by many threads.
public final class NewJobs {
    private final ApiAuthenticator apiAuthenticator;
    private final OpenJobLimit openJobs;

    /// Jobs within both limits.
    public NewJobs(ApiAuthenticator apiAuthenticator, OpenJobLimit openJobs) {
        this.apiAuthenticator = apiAuthenticator;
        this.openJobs = openJobs;
    }

    /// Begins a job of `caller`. What is not made, for whatever reason, costs nothing.
    ///
    /// @param isKnown whether it was made before: begun again, it costs nothing, also where the quota is used up by now
    /// @throws dev.artel.gateway.http.HttpRefusal if the client may not have another one
    public SubmitReply begin(Caller caller, boolean isKnown, Supplier<SubmitReply> beginning) {
        if (isKnown) {
            return beginning.get();
        }
        var place = openJobs.take(caller);
        var isSpent = false;
        var isNew = false;
        try {
            apiAuthenticator.spend(caller, 1);
            isSpent = true;
            var reply = beginning.get();
            isNew = reply instanceof SubmitReply.Accepted(var _, boolean fresh) && fresh;
            return reply;
        } finally {
            place.end(isNew);
            if (isSpent && !isNew) {
                apiAuthenticator.giveBack(caller, 1);
            }
        }
    }
}
