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

/// The file of schedules: a table for each. What is not in it any more is deleted; a file with a problem, or one that is missing, changes
/// nothing. Safe for use by many threads.
public final class ScheduleFile {
    /// Its name in the data folder.
    public static final String NAME = "schedules.toml";

    private static final String BY = "file " + NAME;

    /// As this client the jobs run whose table names none.
    private static final String CLIENT = "default";

    private final boolean isNamed;
    private final Optional<Path> path;
    private final Scheduler schedules;
    private final InstantSource clock;
    private volatile List<String> problems = List.of();

    /// The file that is named, or the one in `folder`.
    ///
    /// @param named empty: [#NAME] in the folder, if it is there
    /// @param folder the data folder, if there is one
    public ScheduleFile(
            Optional<Path> named, Optional<Path> folder, Scheduler schedules, InstantSource clock) {
        isNamed = named.isPresent();
        path = named.or(() -> folder.map(it -> it.resolve(NAME)));
        this.schedules = schedules;
        this.clock = clock;
    }

    /// What reading it came to.
    ///
    /// @param wrong what is written wrong, so that nothing of it is in force
    /// @param unmet what of it is not in force, while the rest is
    public record Taken(boolean isChanged, List<String> wrong, List<String> unmet) {
        /// Copies the lists.
        public Taken {
            wrong = List.copyOf(wrong);
            unmet = List.copyOf(unmet);
        }
    }

    /// What of the file that was read last is not in force, for people.
    public List<String> problems() {
        return problems;
    }

    /// Puts in force what is in the file now.
    ///
    /// @throws dev.artel.kernel.store.StoreException if it cannot be kept
    public synchronized Taken takeUp() {
        var missing = missing();
        if (missing.isPresent()) {
            problems = List.of(missing.get());
            return new Taken(false, List.of(), problems);
        }
        var wrong = new ArrayList<String>();
        var unmet = new ArrayList<String>();
        var wanted = read(wrong, unmet);
        if (!wrong.isEmpty()) {
            return new Taken(false, wrong, List.of());
        }
        var isChanged = false;
        for (var schedule : wanted) {
            switch (schedules.write(schedule.name(), _ -> schedule)) {
                case Scheduler.Written.Kept(var _, var _, var changed) -> isChanged |= changed;
                case Scheduler.Written.Refused(var reason) ->
                        unmet.add(NAME + ": " + schedule.name() + ": " + reason);
            }
        }
        var names = wanted.stream().map(ScheduleDefinition::name).toList();
        for (var view : schedules.all()) {
            var name = view.schedule().name();
            if (isOfFile(view) && !names.contains(name)) {
                isChanged |= schedules.delete(name);
            }
        }
        problems = List.copyOf(unmet);
        return new Taken(isChanged, List.of(), unmet);
    }

    /// A folder that is not mounted must not delete schedules with their pauses and histories.
    private Optional<String> missing() {
        if (path.filter(Files::exists).isPresent()) {
            return Optional.empty();
        }
        var count = schedules.all().stream().filter(ScheduleFile::isOfFile).count();
        return path.filter(_ -> isNamed || count > 0)
                .map(at ->
                        NAME
                                + ": there is no file "
                                + at
                                + ", so that its "
                                + count
                                + " schedules stay as they are; an empty file deletes them");
    }

    private static boolean isOfFile(Scheduler.View view) {
        return view.schedule().origin() == ScheduleDefinition.Origin.FILE;
    }

    private List<ScheduleDefinition> read(List<String> wrong, List<String> unmet) {
        var found = new ArrayList<ScheduleDefinition>();
        var file = path.filter(Files::exists);
        if (file.isEmpty()) {
            return found;
        }
        var document = TomlDocument.read(file.get());
        wrong.addAll(document.problems());
        document.tables()
                .forEach((name, fields) -> {
                    switch (ScheduleReader.table(name, fields, context())) {
                        case ScheduleReader.Reading.Read(var schedule) ->
                                clash(name)
                                        .ifPresentOrElse(
                                                by ->
                                                        unmet.add(
                                                                document.place(name)
                                                                        + ": "
                                                                        + name
                                                                        + ": there is a schedule of"
                                                                        + " this name, made by "
                                                                        + by
                                                                        + "; delete it, or choose"
                                                                        + " another name"),
                                                () -> found.add(schedule));
                        case ScheduleReader.Reading.Invalid(var problems) ->
                                problems.forEach(problem ->
                                        wrong.add(
                                                document.place(place(name, fields, problem))
                                                        + ": "
                                                        + name
                                                        + ": "
                                                        + problem));
                    }
                });
        return found;
    }

    /// Who has made a schedule of this name that is not in the file.
    private Optional<String> clash(String name) {
        return schedules
                .find(name)
                .filter(view -> !isOfFile(view))
                .map(view -> view.schedule().by());
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
