package dev.artel.schedule.rules;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.schedule.timing.Timing;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/// The input of the job of one tick: in its texts, `${tick}` stands for the instant of the tick, and `${tick.date}` for its date in the zone
/// of the schedule. The same tick gives the same input.
public final class TickInput {
    private static final String TICK = "${tick}";
    private static final String DATE = "${tick.date}";

    private TickInput() {}

    /// The input of the job of `schedule` for `tick`.
    public static JsonValue of(ScheduleDefinition schedule, Instant tick) {
        var zone = zone(schedule.timing());
        return filled(
                schedule.job().input(),
                tick.toString(),
                tick.atZone(zone).toLocalDate().toString());
    }

    private static ZoneId zone(Timing timing) {
        return switch (timing) {
            case Timing.Cron(var _, var zone) -> zone;
            case Timing.Interval _, Timing.Once _ -> ZoneOffset.UTC;
        };
    }

    private static JsonValue filled(JsonValue value, String tick, String date) {
        return switch (value) {
            case JsonString(var text) ->
                    new JsonString(text.replace(TICK, tick).replace(DATE, date));
            case JsonObject object -> {
                var filled = JsonObject.builder();
                object.members()
                        .forEach((name, member) -> filled.put(name, filled(member, tick, date)));
                yield filled.build();
            }
            case JsonArray array ->
                    new JsonArray(array.stream().map(each -> filled(each, tick, date)).toList());
            case JsonNumber _, JsonBoolean _, JsonNull _ -> value;
        };
    }
}
