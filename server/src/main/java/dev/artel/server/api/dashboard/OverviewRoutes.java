package dev.artel.server.api.dashboard;

import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.history.StreamRoutes;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.api.jobs.JobCounts;
import dev.artel.server.feed.Broadcast;
import dev.artel.server.feed.Feeds;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/// What the first page of the dashboard shows, once and as it changes.
public final class OverviewRoutes {
    private final Lifecycle lifecycle;
    private final Overview overview;
    private final JobCounts counts;
    private final Feeds feeds;
    private final Broadcast broadcast;
    private final InstantSource clock;

    /// Routes that answer with `overview`.
    ///
    /// @param counts for clients that see their own jobs alone
    /// @param broadcast sends `overview` to many
    public OverviewRoutes(
            Lifecycle lifecycle,
            Overview overview,
            JobCounts counts,
            Feeds feeds,
            Broadcast broadcast,
            InstantSource clock) {
        this.lifecycle = lifecycle;
        this.overview = overview;
        this.counts = counts;
        this.feeds = feeds;
        this.broadcast = broadcast;
        this.clock = clock;
    }

    /// The whole overview; for a client that sees its own jobs alone, how many they are.
    public void show(Context request, Caller caller) {
        if (caller.role() != Role.CLIENT) {
            Answers.json(request, 200, overview.text().getBytes(StandardCharsets.UTF_8));
            return;
        }
        var _ = lifecycle.engine();
        var jobs = JsonObject.builder();
        counts.of(caller).forEach(jobs::put);
        Answers.json(
                request,
                200,
                JsonObject.builder()
                        .put("at", ApiJson.of(clock.instant().truncatedTo(ChronoUnit.MILLIS)))
                        .put("jobs", jobs.build())
                        .build());
    }

    /// The whole overview, again when it has changed.
    public void follow(Context request, Caller caller) {
        if (caller.role() == Role.CLIENT) {
            throw new HttpRefusal(
                    ErrorCode.FORBIDDEN,
                    "Forbidden: the figures of all clients are for viewers and operators",
                    "GET /api/v1/overview returns the counts of your own jobs");
        }
        var _ = lifecycle.engine();
        StreamRoutes.answer(
                request,
                caller,
                () -> feeds.broadcast(caller.name(), request.req(), request.res(), broadcast));
    }
}
