package dev.artel.kernel.job;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The part of [Effects] that is about other jobs.
final class FamilyEffects {
    private FamilyEffects() {}

    /// What a job asks for because of a child, in whatever phase it is.
    static Optional<Effect> ofChild(JobId job, JobSpec spec, Child child) {
        return switch (child.state()) {
            case Child.Asked _, Child.Unwanted _ ->
                    Optional.of(
                            new Effect.StartChild(
                                    child.start(),
                                    child.id(),
                                    child.spec(),
                                    lineage(job, spec, child)));
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

    private static Lineage lineage(JobId job, JobSpec spec, Child child) {
        return new Lineage(
                job,
                child.start(),
                child.number(),
                spec.lineage().map(Lineage::root).orElse(job),
                path(spec),
                child.steps(),
                spec.lineage().map(Lineage::depth).orElse(spec.guards().treeDepth()),
                child.spec().mode());
    }

    /// The blueprints from the root down to the one of `spec`.
    static List<String> path(JobSpec spec) {
        var path = new ArrayList<>(spec.lineage().map(Lineage::path).orElse(List.of()));
        path.add(spec.blueprint().name());
        return path;
    }

    static Optional<Effect> ofTelling(JobSpec spec, Family family) {
        return spec.lineage()
                .flatMap(lineage ->
                        family.telling()
                                .map(telling ->
                                        new Effect.TellParent(
                                                telling.id(),
                                                lineage,
                                                telling.outcome(),
                                                telling.reason())));
    }

    static void pending(Job job, Consumer<Effect> sink) {
        for (var child : job.family().children()) {
            ofChild(job.id(), job.spec(), child).ifPresent(sink);
        }
        ofTelling(job.spec(), job.family()).ifPresent(sink);
    }
}
