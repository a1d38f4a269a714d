package dev.artel.simulation.world;

import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalInt;
import java.util.SplittableRandom;

/// How the workers of a world are shared by the settings of its orchestrator, which are read again now and then.
public final class Sharing {
    /// Who submits jobs where there are several clients.
    public static final List<String> CLIENTS = List.of("ann", "bob", "cyd");

    /// Who submits jobs where no clients are set.
    public static final String ONLY_CLIENT = "client";

    private static final List<String> KEYS =
            List.of("type:cut", "type:*", "blueprint:bp0", "tenant:*", "tenant:0", "mail");

    private final World world;
    private final List<DispatchSettings> past = new ArrayList<>();
    private DispatchSettings settings;

    public Sharing(World world) {
        this.world = world;
        settings = DispatchSettings.DEFAULTS.withLimits(limits());
        if (world.has(Trait.SEVERAL_CLIENTS)) {
            var random = world.random(Trait.SEVERAL_CLIENTS);
            var weights = new LinkedHashMap<String, Double>();
            CLIENTS.forEach(client -> weights.put(client, 1.0 + random.nextInt(2)));
            settings = settings.withAging(1 + random.nextInt(6)).withWeights(weights);
        }
        past.add(settings);
    }

    private List<SharedLimit> limits() {
        if (!world.has(Trait.LIMITS_CONFIGURED)) {
            return List.of();
        }
        var random = world.random(Trait.LIMITS_CONFIGURED);
        return KEYS.stream()
                .filter(_ -> random.nextInt(5) < 2)
                .map(key -> limit(key, random))
                .toList();
    }

    private static SharedLimit limit(String key, SplittableRandom random) {
        var limit = SharedLimit.of(key);
        var kind = random.nextInt(3);
        if (kind != 0) {
            limit = limit.withConcurrent(1 + random.nextInt(4));
        }
        return kind == 2
                ? limit
                : limit.withRate(
                        Rate.of(
                                2 + random.nextInt(5),
                                Duration.ofMillis(200 + random.nextInt(3_000))));
    }

    /// The orchestrator's settings as they are now.
    public DispatchSettings settings() {
        return settings;
    }

    /// Other limits are in force from now on.
    public void change() {
        settings = settings.withLimits(limits());
        past.add(settings);
    }

    /// How many tasks with `key` any settings have let be with workers at once; those without a limit, any number.
    public int most(String key) {
        return past.stream().mapToInt(it -> concurrent(it, key)).max().orElse(Integer.MAX_VALUE);
    }

    private static int concurrent(DispatchSettings settings, String key) {
        return settings.limit(key)
                .map(SharedLimit::concurrent)
                .orElse(OptionalInt.empty())
                .orElse(Integer.MAX_VALUE);
    }

    /// Whether any settings have set a limit for `key`.
    public boolean isLimited(String key) {
        return past.stream().anyMatch(it -> it.limit(key).isPresent());
    }
}
