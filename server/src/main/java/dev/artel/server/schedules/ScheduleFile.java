package dev.artel.server.schedules;

import dev.artel.access.TomlDocument;
import dev.artel.json.JsonObject;
import dev.artel.schedule.Scheduler;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.text.ScheduleReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/// The file of schedules: a table for each. What is not in it any more is deleted; a file with a problem changes nothing.
public final class ScheduleFile {
    /// Its name in the data folder.
    public static final String NAME = "schedules.toml";

    private static final String BY = "file " + NAME;

    /// As this client the jobs run whose table names none.
    private static final String CLIENT = "default";

    private final Optional<Path> path;
    private final Scheduler schedules;
    private final InstantSource clock;

    /// The file that is named, or the one in `folder`.
    ///
    /// @param named empty: [#NAME] in the folder, if it is there
    /// @param folder the data folder, if there is one
    public ScheduleFile(
            Optional<Path> named, Optional<Path> folder, Scheduler schedules, InstantSource clock) {
        path = named.or(() -> folder.map(it -> it.resolve(NAME)));
        this.schedules = schedules;
        this.clock = clock;
    }

    /// What reading it came to.
    ///
    /// @param problems for which nothing of it, or not all, is in force
    public record Taken(boolean isChanged, List<String> problems) {
        /// Copies `problems`.
        public Taken {
            problems = List.copyOf(problems);
        }
    }

    /// Puts in force what is in the file now.
    ///
    /// @throws dev.artel.kernel.store.StoreException if it cannot be kept
    public Taken takeUp() {
        var problems = new ArrayList<String>();
        var wanted = read(problems);
        if (!problems.isEmpty()) {
            return new Taken(false, problems);
        }
        var isChanged = false;
        for (var schedule : wanted) {
            switch (schedules.write(schedule.name(), _ -> schedule)) {
                case Scheduler.Written.Kept(var _, var _, var changed) -> isChanged |= changed;
                case Scheduler.Written.Refused(var reason) ->
                        problems.add(NAME + ": " + schedule.name() + ": " + reason);
            }
        }
        var names = wanted.stream().map(ScheduleDefinition::name).toList();
        for (var view : schedules.all()) {
            var name = view.schedule().name();
            if (isOfFile(view) && !names.contains(name)) {
                isChanged |= schedules.delete(name);
            }
        }
        return new Taken(isChanged, problems);
    }

    private static boolean isOfFile(Scheduler.View view) {
        return view.schedule().origin() == ScheduleDefinition.Origin.FILE;
    }

    private List<ScheduleDefinition> read(List<String> problems) {
        var found = new ArrayList<ScheduleDefinition>();
        var file = path.filter(Files::exists);
        if (file.isEmpty()) {
            return found;
        }
        var document = TomlDocument.read(file.get());
        problems.addAll(document.problems());
        document.tables()
                .forEach((name, fields) -> {
                    schedules
                            .find(name)
                            .filter(view -> !isOfFile(view))
                            .ifPresent(view ->
                                    problems.add(
                                            document.place(name)
                                                    + ": "
                                                    + name
                                                    + ": there is a schedule of this name, made by "
                                                    + view.schedule().by()
                                                    + "; delete it, or choose another name"));
                    switch (ScheduleReader.table(name, fields, context())) {
                        case ScheduleReader.Reading.Read(var schedule) -> found.add(schedule);
                        case ScheduleReader.Reading.Invalid(var wrong) ->
                                wrong.forEach(problem ->
                                        problems.add(
                                                document.place(place(name, fields, problem))
                                                        + ": "
                                                        + name
                                                        + ": "
                                                        + problem));
                    }
                });
        return found;
    }

    /// The key that a problem names first, so that it is shown with its line.
    private static String place(String name, JsonObject fields, String problem) {
        return Pattern.compile("\\w+")
                .matcher(problem)
                .results()
                .map(word -> word.group())
                .filter(fields::has)
                .findFirst()
                .map(key -> name + "." + key)
                .orElse(name);
    }

    private ScheduleReader.Context context() {
        return new ScheduleReader.Context(
                ScheduleDefinition.Origin.FILE,
                UUID.randomUUID().toString(),
                CLIENT,
                ZoneId.systemDefault(),
                BY,
                clock.instant());
    }
}
