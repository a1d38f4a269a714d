package dev.artel.schedule.timing;

import dev.artel.config.Suggestions;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.TreeSet;

/// Time zones by their names.
public final class TimeZones {
    private TimeZones() {}

    /// The zone `name`, such as `Europe/Berlin`, `UTC` or `+02:00`.
    ///
    /// @throws IllegalArgumentException if there is none, with the nearest name
    public static ZoneId of(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "there is no time zone '"
                            + name
                            + "'"
                            + Suggestions.like(name, new TreeSet<>(ZoneId.getAvailableZoneIds()))
                            + "; names are those of the tz database, such as Europe/Berlin",
                    unknown);
        }
    }
}
