package dev.artel.server.schedules;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.store.StoreException;
import dev.artel.schedule.Scheduler;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.text.ScheduleReader;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// The schedules that authors write beside their blueprints: those of the newest version of each. One whose blueprint is gone stays, so
/// that its pause and its history are there when the blueprint comes back; operators delete it. Safe for use by many threads.
public final class ScheduleCode {
    private static final String CLIENT = "default";

    private final Blueprints blueprints;
    private final Scheduler schedules;
    private final InstantSource clock;
    private volatile List<String> problems = List.of();

    /// Those of `blueprints`.
    public ScheduleCode(Blueprints blueprints, Scheduler schedules, InstantSource clock) {
        this.blueprints = blueprints;
        this.schedules = schedules;
        this.clock = clock;
    }

    /// What keeps schedules from being in force, for people.
    public List<String> problems() {
        return problems;
    }

    /// Puts in force what is written beside the blueprints that are known now.
    public synchronized void takeUp() {
        var found = new ArrayList<String>();
        for (var name : blueprints.names()) {
            blueprints
                    .find(name)
                    .ifPresent(blueprint ->
                            blueprint
                                    .schedules()
                                    .forEach((schedule, written) ->
                                            takeUp(blueprint, schedule, written, found)));
        }
        problems = List.copyOf(found);
    }

    private void takeUp(Blueprint blueprint, String name, JsonObject written, List<String> found) {
        var where = "schedule '" + name + "' of blueprint '" + blueprint.name() + "': ";
        var other =
                schedules
                        .find(name)
                        .map(Scheduler.View::schedule)
                        .filter(it -> isOther(it, blueprint));
        if (other.isPresent()) {
            found.add(
                    where
                            + "there is a schedule of this name, made by "
                            + other.get().by()
                            + "; delete it, or choose another name");
            return;
        }
        var reading =
                ScheduleReader.table(
                        name,
                        written.with("blueprint", JsonValue.of(blueprint.name())),
                        new ScheduleReader.Context(
                                ScheduleDefinition.Origin.CODE,
                                UUID.randomUUID().toString(),
                                CLIENT,
                                ZoneId.systemDefault(),
                                "blueprint " + blueprint.name(),
                                clock.instant()));
        switch (reading) {
            case ScheduleReader.Reading.Invalid(var wrong) ->
                    found.add(where + String.join("; ", wrong));
            case ScheduleReader.Reading.Read(var schedule) -> write(where, schedule, found);
        }
    }

    private static boolean isOther(ScheduleDefinition known, Blueprint blueprint) {
        return known.origin() != ScheduleDefinition.Origin.CODE
                || !known.job().blueprint().equals(blueprint.name());
    }

    private void write(String where, ScheduleDefinition schedule, List<String> found) {
        try {
            if (schedules.write(schedule.name(), _ -> schedule)
                    instanceof Scheduler.Written.Refused(var reason)) {
                found.add(where + reason);
            }
        } catch (StoreException away) {
            found.add(where + "it cannot be kept now: " + away.getMessage());
        }
    }
}
