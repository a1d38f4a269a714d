package dev.artel.kernel.rules;

import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.Children;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The part of [PendingEffects] that is about other jobs.
final class ChildEffects {
    private ChildEffects() {}

    /// What a job asks for because of a child, in whatever phase it is.
    static Optional<Effect> ofChild(JobId job, JobSpec spec, Child child) {
        return switch (child.state()) {
            case Child.Asked _, Child.Unwanted _ ->
                    Optional.of(
                            new Effect.StartChild(
                                    child.start(),
                                    child.id(),
                                    child.spec(),
                                    parentLink(job, spec, child)));
            case Child.Running(var await) ->
                    Optional.of(new Effect.AwaitChild(await, child.number(), child.id()));
            case Child.Stopping(var stop) ->
                    Optional.of(new Effect.StopChild(stop, child.number(), child.id()));
            case Child.Planned _,
                    Child.Withdrawn _,
                    Child.Free _,
                    Child.Stopped _,
                    Child.Refused _,
                    Child.Ended _ ->
                    Optional.empty();
        };
    }

    private static ParentLink parentLink(JobId job, JobSpec spec, Child child) {
        return new ParentLink(
                job,
                child.start(),
                child.number(),
                spec.parentLink().map(ParentLink::root).orElse(job),
                path(spec),
                child.steps(),
                spec.parentLink().map(ParentLink::depth).orElse(spec.guards().treeDepth()),
                child.spec().mode());
    }

    /// The blueprints from the root down to the one of `spec`.
    static List<String> path(JobSpec spec) {
        var path = new ArrayList<>(spec.parentLink().map(ParentLink::path).orElse(List.of()));
        path.add(spec.blueprint().name());
        return path;
    }

    static Optional<Effect> ofParentNotification(JobSpec spec, Children children) {
        return spec.parentLink()
                .flatMap(parentLink ->
                        children.parentNotification()
                                .map(parentNotification ->
                                        new Effect.NotifyParent(
                                                parentNotification.id(),
                                                parentLink,
                                                parentNotification.outcome(),
                                                parentNotification.reason())));
    }

    static void pending(Job job, Consumer<Effect> sink) {
        for (var child : job.children().children()) {
            ofChild(job.id(), job.spec(), child).ifPresent(sink);
        }
        ofParentNotification(job.spec(), job.children()).ifPresent(sink);
    }
}
