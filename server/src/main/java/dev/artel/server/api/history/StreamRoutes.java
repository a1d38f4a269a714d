package dev.artel.server.api.history;

import dev.artel.access.Caller;
import dev.artel.access.Role;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.access.VisibleJobs;
import dev.artel.server.api.http.ApiJson;
import dev.artel.server.feed.Feeds;
import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What happens, as it happens: server-sent events.
public final class StreamRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(StreamRoutes.class);
    private static final Duration LATER = Duration.ofSeconds(5);

    private final Lifecycle lifecycle;
    private final VisibleJobs visible;
    private final Feeds feeds;
    private final ApiJson apiJson;

    /// Routes that answer with streams of `feeds`.
    public StreamRoutes(Lifecycle lifecycle, VisibleJobs visible, Feeds feeds, ApiJson apiJson) {
        this.lifecycle = lifecycle;
        this.visible = visible;
        this.feeds = feeds;
        this.apiJson = apiJson;
    }

    /// The events of a job, from the first, or from behind a position or an event of it, until it is closed.
    public void ofJob(Context request, Caller caller) {
        var after = after(request).orElse(0);
        var afterVersion = afterVersion(request);
        var _ = lifecycle.engine();
        var row = visible.of(request, caller);
        answer(
                request,
                caller,
                () ->
                        feeds.job(
                                caller.name(),
                                request.req(),
                                request.res(),
                                row.id(),
                                after,
                                afterVersion,
                                (version, event) ->
                                        notification(completeDocument(row.id(), version, event))));
    }

    private JsonObject completeDocument(JobId job, long version, JobEvent event) {
        return new EventDocument(apiJson.ofJob(job, ApiJson.LARGEST_OF_EVENT)).of(version, event);
    }

    private static Feeds.Notification notification(JsonObject document) {
        return new Feeds.Notification(document.string("type").orElse("event"), document);
    }

    /// The events of all jobs that the caller sees, from now on or from behind a position.
    public void ofAll(Context request, Caller caller) {
        var after = after(request);
        var _ = lifecycle.engine();
        answer(
                request,
                caller,
                () -> feeds.all(caller.name(), request.req(), request.res(), after, caller::sees));
    }

    /// Renders the events of all jobs, without what belongs to their users.
    public static Feeds.OfAll briefs() {
        var brief = new EventDocument(ApiJson.NONE);
        return (one, version, event) -> notification(brief.brief(one, version, event));
    }

    /// What happens to workers, from now on or from behind a position.
    public void ofFleet(Context request, Caller caller) {
        var after = after(request);
        var _ = lifecycle.engine();
        answer(
                request,
                caller,
                () ->
                        feeds.fleet(
                                caller.name(),
                                request.req(),
                                request.res(),
                                after,
                                what -> ofFleet(what, caller)));
    }

    /// Who drained a worker is the business of those who operate it.
    private static JsonObject ofFleet(JsonObject what, Caller caller) {
        if (caller.role() != Role.CLIENT || !what.has("by")) {
            return what;
        }
        var shown = JsonObject.builder();
        what.members()
                .forEach((name, value) -> {
                    if (!name.equals("by")) {
                        shown.put(name, value);
                    }
                });
        return shown.build();
    }

    /// Writes the events of a stream until it ends.
    @FunctionalInterface
    public interface Feeding {
        /// Returns how it ended.
        ///
        /// @throws IOException if the reader is gone
        Feeds.End feed() throws IOException, InterruptedException;
    }

    /// Answers `request` with the stream of `feeding`, or with the reason why there is none.
    public static void answer(Context request, Caller caller, Feeding feeding) {
        Feeds.End end;
        try {
            end = feeding.feed();
        } catch (IOException gone) {
            LOG.atDebug()
                    .addKeyValue("path", request.path())
                    .addKeyValue("cause", gone.toString())
                    .log("a reader of events is gone");
            return;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return;
        }
        switch (end) {
            case DONE -> {}
            case NOTHING_MORE -> request.status(204);
            case SHARE_USED ->
                    throw HttpRefusal.later(
                            ErrorCode.RATE_LIMITED,
                            LATER,
                            "Too Many Requests",
                            "Client "
                                    + caller.name()
                                    + " has as many streams of events open as it leaves to all"
                                    + " others, or reads too many; close some, or try again later");
            case NO_ROOM ->
                    throw HttpRefusal.later(LATER, "Too many streams are open; try again later");
        }
    }

    private static long afterVersion(Context request) {
        var text = request.queryParam("after_version");
        try {
            var version = text == null ? 0 : Long.parseLong(text);
            if (version >= 0) {
                return version;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_PARAMETER,
                "Invalid after_version",
                "it is the version of an event of the job, a whole number from 0");
    }

    private static OptionalLong after(Context request) {
        var header = request.header("Last-Event-ID");
        var text = header == null || header.isEmpty() ? request.queryParam("after") : header;
        if (text == null) {
            return OptionalLong.empty();
        }
        try {
            var position = Long.parseLong(text);
            if (position >= 0 && position < Long.MAX_VALUE) {
                return OptionalLong.of(position);
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new HttpRefusal(
                ErrorCode.INVALID_PARAMETER,
                "Invalid Last-Event-ID",
                "it is the id of an event that was received, a whole number from 0");
    }
}
