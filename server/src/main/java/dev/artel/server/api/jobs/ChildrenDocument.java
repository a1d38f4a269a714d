package dev.artel.server.api.jobs;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.job.Job;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;

/// The tree of a job as clients see it.
public final class ChildrenDocument {
    /// How many children the document of a job lists: the latest of those whose turn has come.
    private static final int CHILDREN = 100;

    /// The words of [#status].
    static final List<String> STATUSES =
            List.of(
                    "planned",
                    "withdrawn",
                    "starting",
                    "running",
                    "detached",
                    "cancelling",
                    "refused",
                    "finished",
                    "failed",
                    "cancelled",
                    "quarantined");

    private ChildrenDocument() {}

    static void put(Job job, JsonObject.Builder json) {
        var parentLink = job.spec().parentLink();
        parentLink.ifPresent(it -> json.put("parent_job_id", it.parent().value()));
        var children = job.children().children();
        if (parentLink.isPresent() || children.size() > 0) {
            json.put(
                    "tree",
                    JsonObject.builder()
                            .put("root", parentLink.map(ParentLink::root).orElse(job.id()).value())
                            .put("depth", parentLink.map(it -> it.path().size()).orElse(0))
                            .put("steps", job.steps())
                            .put("steps_allowed", job.stepsAllowed())
                            .build());
        }
        if (children.size() > 0) {
            json.put("children_count", children.size());
            var counts = new LinkedHashMap<String, Integer>();
            var listed = new ArrayDeque<JsonValue>();
            for (var child : children) {
                counts.merge(status(child.state()), 1, Integer::sum);
                if (hasHadItsTurn(child)) {
                    if (listed.size() == CHILDREN) {
                        listed.removeFirst();
                    }
                    listed.add(of(child));
                }
            }
            var byStatus = JsonObject.builder();
            counts.forEach(byStatus::put);
            json.put("child_counts", byStatus.build());
            json.put("children", new JsonArray(List.copyOf(listed)));
        }
    }

    private static boolean hasHadItsTurn(Child child) {
        return !(child.state() instanceof Child.Planned
                || child.state() instanceof Child.Withdrawn);
    }

    /// A line of a list of children; without an id for one that was not begun, which no job has.
    static JsonObject of(Child child) {
        var json = JsonObject.builder().put("number", child.number());
        if (hasHadItsTurn(child)) {
            json.put("job_id", child.id().value());
        }
        json.put("blueprint_name", child.spec().blueprint())
                .put("branch", child.branch())
                .put("mode", mode(child.spec().mode()))
                .put("steps", child.steps())
                .put("status", status(child.state()));
        if (child.state() instanceof Child.Refused(var reason)) {
            json.put("error_message", reason);
        }
        return json.build();
    }

    /// What the parent knows of it.
    static String status(Child.State state) {
        return switch (state) {
            case Child.Planned _ -> "planned";
            case Child.Withdrawn _ -> "withdrawn";
            case Child.Asked _, Child.Unwanted _ -> "starting";
            case Child.Running _ -> "running";
            case Child.Free _ -> "detached";
            case Child.Stopping _, Child.Stopped _ -> "cancelling";
            case Child.Refused _ -> "refused";
            case Child.Ended(var outcome, int _, var _) -> outcome;
        };
    }

    /// How a parent stands to a child, in one word.
    public static String mode(ChildMode mode) {
        return switch (mode) {
            case AWAITED -> "awaited";
            case AWAITED_UNLESS_QUARANTINED -> "awaited_unless_quarantined";
            case DETACHED -> "detached";
        };
    }
}
