package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Blueprints and clients whose new jobs stand still from their beginning, until the pause is taken away and the jobs are resumed. Jobs that
/// live are left as they are. Safe for use by many threads; what a call has answered is durable.
public final class StandingPauses {
    /// As many at most.
    public static final int MOST = 1_000;

    private static final String SPACE = "artel/pauses";
    private static final int PAGE = 100;

    private final KeyValueStore store;
    private volatile Map<String, Standing> known;

    /// @param store keeps them; one that keeps nothing can have none
    StandingPauses(KeyValueStore store) {
        this.store = store;
        known = store instanceof UnavailableKeyValueStore ? Map.of() : read(store);
    }

    /// Of what the jobs are that begin paused.
    public enum Scope {
        /// Of a blueprint.
        BLUEPRINT,
        /// Of a client.
        CLIENT;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A pause that stands.
    ///
    /// @param name of the blueprint or the client
    /// @param by who set it, as events keep it
    public record Standing(
            Scope scope, String name, String by, Optional<String> reason, Instant at) {
        private String key() {
            return key(scope, name);
        }

        private static String key(Scope scope, String name) {
            return scope + "/" + name;
        }

        /// The reason that a job that begins under it has for its pause.
        private String text() {
            return scope + " '" + name + "' is paused" + reason.map(it -> ": " + it).orElse("");
        }

        private JsonObject json() {
            var json =
                    JsonObject.builder()
                            .put("scope", scope.name())
                            .put("name", name)
                            .put("by", by)
                            .put("at", at.toString());
            reason.ifPresent(it -> json.put("reason", it));
            return json.build();
        }

        private static Standing of(JsonObject json) {
            return new Standing(
                    Scope.valueOf(json.string("scope").orElseThrow()),
                    json.string("name").orElseThrow(),
                    json.string("by").orElseThrow(),
                    json.string("reason"),
                    Instant.parse(json.string("at").orElseThrow()));
        }
    }

    private static Map<String, Standing> read(KeyValueStore store) {
        var all = new LinkedHashMap<String, Standing>();
        var after = "";
        while (true) {
            var page = store.list(SPACE, "", after, PAGE);
            for (var entry : page) {
                after = entry.key();
                all.put(after, Standing.of((JsonObject) entry.value()));
            }
            if (page.size() < PAGE) {
                return Collections.unmodifiableMap(all);
            }
        }
    }

    /// All of them, by scope and name.
    public List<Standing> all() {
        return known.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(Map.Entry::getValue)
                .toList();
    }

    /// Lets new jobs of `wanted` begin paused. One that stands already stays, for the first reason.
    ///
    /// @return the one that stands
    /// @throws IllegalStateException if there are [#MOST]
    /// @throws dev.artel.kernel.store.StoreException if it cannot be kept
    public synchronized Standing set(Standing wanted) {
        var before = known.get(wanted.key());
        if (before != null) {
            return before;
        }
        if (known.size() >= MOST) {
            throw new IllegalStateException(
                    "there are "
                            + MOST
                            + " pauses of blueprints and clients, which is the most; take some away");
        }
        var _ = store.put(SPACE, wanted.key(), KeyValueStore.ANY_VERSION, wanted.json());
        var more = new LinkedHashMap<>(known);
        more.put(wanted.key(), wanted);
        known = Collections.unmodifiableMap(more);
        return wanted;
    }

    /// Lets new jobs begin as ever.
    ///
    /// @return whether they began paused
    /// @throws dev.artel.kernel.store.StoreException if the change cannot be kept
    public synchronized boolean clear(Scope scope, String name) {
        var key = Standing.key(scope, name);
        if (!known.containsKey(key)) {
            return false;
        }
        var _ = store.remove(SPACE, key, KeyValueStore.ANY_VERSION);
        var left = new LinkedHashMap<>(known);
        left.remove(key);
        known = Collections.unmodifiableMap(left);
        return true;
    }

    /// The pause with which a job begins.
    Optional<JobCommand.PauseJob> ofNew(String blueprint, String client, Instant now) {
        var all = known;
        return Optional.ofNullable(all.get(Standing.key(Scope.BLUEPRINT, blueprint)))
                .or(() -> Optional.ofNullable(all.get(Standing.key(Scope.CLIENT, client))))
                .map(pause -> new JobCommand.PauseJob(Optional.of(pause.text()), pause.by(), now));
    }
}
