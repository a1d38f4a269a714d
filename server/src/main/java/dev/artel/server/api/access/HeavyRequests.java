package dev.artel.server.api.access;

import dev.artel.access.Caller;
import dev.artel.access.ClientTurns;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.server.api.http.FreeHeap;
import java.time.Duration;
import java.util.function.Supplier;

/// Has requests that cost much wait for the turn of their client, so that what is under way fits into memory, and one
/// client's requests leave room for those of others. Safe for use by many threads.
public final class HeavyRequests {
    private static final int AT_ONCE = 4;
    private static final int MOST_WAITING = 100;
    private static final Duration WAIT_LIMIT = Duration.ofSeconds(10);

    private final ClientTurns reads;
    private final ClientTurns searches;
    private final ClientTurns bulk;
    private final ClientTurns changes;

    /// What costs much; the turns of each kind are its own, so that a long download keeps no client from searching.
    public enum Kind {
        /// Of all that a job is, or much of it.
        READ("reads of jobs", "read fewer at once, or only what you need (fields)"),
        /// Among all jobs or workers.
        SEARCH("searches", "send fewer at once"),
        /// Of many jobs with one request.
        BULK("requests for many jobs", "send fewer at once"),
        /// Of one job, which may have a hundred thousand tasks: some changes look at each of them; and of schedules, which may have
        /// thousands of ticks.
        CHANGE("changes of jobs or schedules", "send fewer at once");

        private final String what;
        private final String advice;

        Kind(String what, String advice) {
            this.what = what;
            this.advice = advice;
        }
    }

    /// Four of a kind at a time for each client; more wait for ten seconds.
    public HeavyRequests() {
        this(WAIT_LIMIT);
    }

    /// @param waitLimit how long a request waits for its turn
    HeavyRequests(Duration waitLimit) {
        reads = turns(waitLimit);
        searches = turns(waitLimit);
        bulk = turns(waitLimit);
        changes = turns(waitLimit);
    }

    /// What has requests wait for the turns of their clients before it handles them.
    public ApiAuthenticator.Known byTurns(Kind kind, ApiAuthenticator.Known handler) {
        return (request, caller) -> {
            begin(kind, nameOf(caller));
            try {
                handler.handle(request, caller);
            } finally {
                end(kind, nameOf(caller));
            }
        };
    }

    /// Does `act` when it is the turn of `caller`.
    ///
    /// @throws HttpRefusal with 429 if its turn does not come, or too many of its requests wait
    public void run(Kind kind, Caller caller, Runnable act) {
        var _ =
                get(
                        kind,
                        nameOf(caller),
                        () -> {
                            act.run();
                            return kind;
                        });
    }

    /// What `act` gives when it is the turn of `who`, who may be no client.
    ///
    /// @throws HttpRefusal with 429 if the turn does not come, or too many wait
    public <T> T get(Kind kind, String who, Supplier<T> act) {
        begin(kind, who);
        try {
            return act.get();
        } finally {
            end(kind, who);
        }
    }

    private static String nameOf(Caller caller) {
        return "Client " + caller.name();
    }

    private void begin(Kind kind, String who) {
        // What ends jobs frees memory, also many at once; bodies that add to it are judged as such.
        if (kind == Kind.READ || kind == Kind.SEARCH) {
            // Counted beside bodies: some requests are both.
            FreeHeap.require("a read of " + who, 0);
        }
        try {
            if (!of(kind).begin(who)) {
                throw HttpRefusal.later(
                        ErrorCode.RATE_LIMITED,
                        Duration.ofSeconds(1),
                        "Too Many Requests",
                        who
                                + " has "
                                + AT_ONCE
                                + " "
                                + kind.what
                                + " under way, and more wait; "
                                + kind.advice);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw HttpRefusal.later(Duration.ofSeconds(1), "The orchestrator stops");
        }
    }

    private void end(Kind kind, String who) {
        of(kind).end(who);
    }

    private ClientTurns of(Kind kind) {
        return switch (kind) {
            case READ -> reads;
            case SEARCH -> searches;
            case BULK -> bulk;
            case CHANGE -> changes;
        };
    }

    private static ClientTurns turns(Duration waitLimit) {
        return new ClientTurns(AT_ONCE, MOST_WAITING, waitLimit);
    }
}
