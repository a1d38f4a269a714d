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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/// The definitions that an engine knows, several versions of each side by side. Safe for use by many threads.
public final class Blueprints {
    /// How many names a message lists.
    private static final int MOST_NAMED = 20;

    private static final ConcurrentNavigableMap<String, Blueprint> NONE =
            new ConcurrentSkipListMap<>();

    private final ConcurrentNavigableMap<String, ConcurrentNavigableMap<String, Blueprint>> byName =
            new ConcurrentSkipListMap<>();

    /// The same, for the many who know the version: the order of versions reads each as people do, which takes a while.
    private final Map<Named, Blueprint> byVersion = new ConcurrentHashMap<>();

    private record Named(String name, String version) {}

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
        if (!added(blueprint)) {
            throw new IllegalArgumentException(
                    "blueprint '"
                            + blueprint.name()
                            + "' is registered already in version "
                            + blueprint.version()
                            + "; give it another name or version");
        }
        byVersion.put(new Named(blueprint.name(), blueprint.version()), blueprint);
        listeners.forEach(Runnable::run);
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

    /// The definition that a job began with. A version is the author's word: its handlers may have changed.
    public Optional<Blueprint> of(BlueprintRef ref) {
        return find(ref.name(), ref.version());
    }

    /// The definition `name` in the wanted version, or else the newest.
    public Optional<Blueprint> wanted(String name, Optional<String> version) {
        return version.isEmpty() ? find(name) : find(name, version.get());
    }

    /// Whether the blueprint of `submission` declares what initial data it wants.
    boolean hasInitialData(Submission submission) {
        return wanted(submission.blueprint(), submission.version())
                .flatMap(Blueprint::initialData)
                .isPresent();
    }

    /// Everything that keeps the initial data of `submission` from fitting what its blueprint wants; empty if they fit, or
    /// if there is no such blueprint. Runs an author's code, if its data are records that have some.
    List<Mismatch> mismatches(Submission submission) {
        return wanted(submission.blueprint(), submission.version())
                .flatMap(Blueprint::initialData)
                .map(binding -> binding.mismatches(submission.initialData(), "initial_data"))
                .orElse(List.of());
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
