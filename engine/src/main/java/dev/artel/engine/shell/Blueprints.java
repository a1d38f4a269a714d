package dev.artel.engine.shell;

import dev.artel.json.bind.Mismatch;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.engine.Submission;
import dev.artel.kernel.job.BlueprintRef;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/// The definitions that an engine knows, several versions of each side by side. Safe for use by many threads.
///
/// Those that jobs have brought along, the planned ones, are foreign text that has chosen its own name. So they have no part in what goes by name: only a job that
/// goes on with one finds it, and children that name its exact version.
public final class Blueprints {
    /// How many names a message lists.
    private static final int MOST_NAMED = 20;

    private static final ConcurrentNavigableMap<String, Blueprint> NONE =
            new ConcurrentSkipListMap<>();

    private final ConcurrentNavigableMap<String, ConcurrentNavigableMap<String, Blueprint>> byName =
            new ConcurrentSkipListMap<>();

    /// The same, for the many who know the version: the order of versions reads each as people do, which takes a while.
    private final Map<Named, Blueprint> byVersion = new ConcurrentHashMap<>();

    private final Map<Named, Planned> planned = new ConcurrentHashMap<>();

    private record Named(String name, String version) {
        static Named of(Blueprint blueprint) {
            return new Named(blueprint.name(), blueprint.version());
        }
    }

    private record Planned(Blueprint blueprint, Set<String> clients) {}

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /// The definitions of `sources`, each a definition of either style, or something that has several.
    ///
    /// @throws IllegalArgumentException if two have the same name and version
    public static Blueprints of(BlueprintSource... sources) {
        var all = new Blueprints();
        for (var source : sources) {
            source.blueprints().forEach(all::register);
        }
        return all;
    }

    /// Adds a definition.
    ///
    /// @throws IllegalArgumentException if there is one of the same name and version
    public void register(Blueprint blueprint) {
        if (planned.containsKey(Named.of(blueprint)) || !added(blueprint)) {
            throw taken(blueprint);
        }
        byVersion.put(Named.of(blueprint), blueprint);
        listeners.forEach(Runnable::run);
    }

    private static IllegalArgumentException taken(Blueprint blueprint) {
        return new IllegalArgumentException(
                "blueprint '"
                        + blueprint.name()
                        + "' is registered already in version "
                        + blueprint.version()
                        + "; give it another name or version");
    }

    /// Adds a definition that jobs of `clients` have brought along, whose version is made of its content. One that is there has these clients from now on.
    ///
    /// @throws IllegalArgumentException if one that no job has brought along has the same name and version
    public void registerPlanned(Blueprint blueprint, Set<String> clients) {
        var named = Named.of(blueprint);
        if (byVersion.containsKey(named)) {
            throw taken(blueprint);
        }
        planned.put(named, new Planned(blueprint, Set.copyOf(clients)));
        listeners.forEach(Runnable::run);
    }

    /// Removes a planned definition, if there is one of this name and version.
    public void unregisterPlanned(String name, String version) {
        planned.remove(new Named(name, version));
    }

    private boolean added(Blueprint blueprint) {
        var isAdded = new AtomicBoolean();
        byName.compute(
                blueprint.name(),
                (_, before) -> {
                    var versions =
                            before == null
                                    ? new ConcurrentSkipListMap<String, Blueprint>(Versions.ORDER)
                                    : before;
                    isAdded.set(versions.putIfAbsent(blueprint.version(), blueprint) == null);
                    return versions;
                });
        return isAdded.get();
    }

    /// Removes a definition, if there is one of this name and version.
    public void unregister(String name, String version) {
        byVersion.remove(new Named(name, version));
        byName.computeIfPresent(
                name,
                (_, versions) -> {
                    versions.remove(version);
                    return versions.isEmpty() ? null : versions;
                });
    }

    /// Calls `listener` after each definition that is registered from now on, in the thread that registers it.
    public void onRegistered(Runnable listener) {
        listeners.add(listener);
    }

    /// The newest version of the definition `name`.
    public Optional<Blueprint> find(String name) {
        return Optional.ofNullable(versions(name).lastEntry()).map(newest -> newest.getValue());
    }

    /// The definition `name` in version `version`.
    public Optional<Blueprint> find(String name, String version) {
        return Optional.ofNullable(byVersion.get(new Named(name, version)));
    }

    /// The planned definition `name` in version `version`.
    public Optional<Blueprint> findPlanned(String name, String version) {
        return Optional.ofNullable(planned.get(new Named(name, version))).map(Planned::blueprint);
    }

    /// The same, if a job of `client` has brought it along.
    public Optional<Blueprint> findPlanned(String name, String version, String client) {
        return Optional.ofNullable(planned.get(new Named(name, version)))
                .filter(each -> each.clients().contains(client))
                .map(Planned::blueprint);
    }

    /// Whether there is a definition `name` in version `version`, of whatever origin.
    public boolean isTaken(String name, String version) {
        return find(name, version).or(() -> findPlanned(name, version)).isPresent();
    }

    /// The definition that a job began or goes on with. A version is the author's word: its handlers may have changed.
    public Optional<Blueprint> of(BlueprintRef ref) {
        return find(ref.name(), ref.version()).or(() -> findPlanned(ref.name(), ref.version()));
    }

    /// The definition `name` in the wanted version, or else the newest.
    public Optional<Blueprint> wanted(String name, Optional<String> version) {
        return version.isEmpty() ? find(name) : find(name, version.get());
    }

    /// Whether the blueprint of `submission` declares what initial data it wants.
    boolean hasInitialData(Submission submission) {
        return ofJob(submission).flatMap(Blueprint::initialData).isPresent();
    }

    /// Everything that keeps the initial data of `submission` from fitting what its blueprint wants; empty if they fit, or
    /// if there is no such blueprint. Runs an author's code, if its data are records that have some.
    List<Mismatch> mismatches(Submission submission) {
        return ofJob(submission)
                .flatMap(Blueprint::initialData)
                .map(binding -> binding.mismatches(submission.initialData(), "initial_data"))
                .orElse(List.of());
    }

    /// Also that of a child, which may be planned.
    private Optional<Blueprint> ofJob(Submission submission) {
        var name = submission.blueprint();
        return wanted(name, submission.version())
                .or(() ->
                        submission
                                .version()
                                .flatMap(exact -> findPlanned(name, exact, submission.client())));
    }

    /// That there is no definition `name` in `version`, and what there is: names that come first, or the newest versions.
    public String missing(String name, Optional<String> version) {
        var versions = versions(name);
        return version.isEmpty() || versions.isEmpty()
                ? "there is no blueprint '"
                        + name
                        + "'"
                        + didYouMean(name)
                        + "; there are "
                        + some()
                : "there is no version "
                        + version.get()
                        + " of blueprint '"
                        + name
                        + "'; there are "
                        + newest(versions);
    }

    private static String newest(NavigableMap<String, Blueprint> versions) {
        var all = List.copyOf(versions.keySet());
        var more = all.size() - MOST_NAMED;
        return more <= 0
                ? all.toString()
                : all.subList(more, all.size()) + " and " + more + " older ones";
    }

    /// The reader of the message finds a mistyped name at once.
    private String didYouMean(String name) {
        return MissingValue.nearest(name, new LinkedHashSet<>(names()))
                .map(near -> ", did you mean '" + near + "'?")
                .orElse("");
    }

    private String some() {
        var names = names();
        return names.size() <= MOST_NAMED
                ? names.toString()
                : names.subList(0, MOST_NAMED) + " and " + (names.size() - MOST_NAMED) + " more";
    }

    /// The versions of the definition `name`, oldest first.
    public List<String> versionsOf(String name) {
        return List.copyOf(versions(name).keySet());
    }

    /// All names, sorted.
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    private NavigableMap<String, Blueprint> versions(String name) {
        return byName.getOrDefault(name, NONE);
    }
}
