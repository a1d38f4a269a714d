package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;

/// A submitter of tasks through Redis: values of all kinds under its own keys, and keys of others published. Each value that is none, and each task that cannot be submitted,
/// keeps no other from being looked at.
final class HostileSubmitter implements HostileLane {
    private static final int ROUND = 50;

    /// Each of its keys is set again and again, and has one job at most.
    private static final int KEYS = 250;

    private static final String CHANNEL = "Tasks";
    private static final Duration LONGEST = Duration.ofSeconds(90);
    private static final Duration GLANCE = Duration.ofMillis(2);

    private final HostileJson json;
    private final SplittableRandom random;
    private final Tally tally;
    private final Jedis redis;

    HostileSubmitter(ServerUnderFuzz.Address address, HostileJson json, Tally tally) {
        this.json = json;
        this.random = json.random();
        this.tally = tally;
        redis = new Jedis(address.brokerOf(json.ownId()));
    }

    @Override
    public int fire() throws IOException {
        var keys = FuzzedBroker.keys(json.ownId());
        try (var round = redis.pipelined()) {
            for (var i = 0; i < ROUND; i++) {
                var key = keys + random.nextInt(KEYS);
                var _ = round.set(key.getBytes(UTF_8), json.of(task(key)));
                var _ = round.publish(CHANNEL.getBytes(UTF_8), published(key));
            }
            round.sync();
        }
        tally.add("value " + status(redis.get(keys + random.nextInt(KEYS))));
        sync(keys + "mark");
        return ROUND;
    }

    private JsonObject task(String key) {
        return JsonObject.builder()
                .put("task_id", random.nextInt(10) == 0 ? json.id() : key)
                .put("function_id", json.pick(List.of("noop", "echo", "http_request", "no-such")))
                .put("args", JsonArray.of(JsonValue.of(1)))
                .put("kwargs", JsonObject.of("a", JsonValue.of(2)))
                .put("priority", 1)
                .put("blueprint", random.nextInt(4) == 0 ? new JsonString("echo") : JsonNull.NULL)
                .put("job_id", random.nextInt(4) == 0 ? new JsonString(json.job()) : JsonNull.NULL)
                .put(
                        "status",
                        json.pick(
                                List.of(
                                        "QUEUED",
                                        "QUEUED",
                                        "RUNNING",
                                        "COMPLETED",
                                        "FAILED",
                                        "ODD")))
                .put("result", JsonNull.NULL)
                .build();
    }

    /// Mostly a key of its own.
    private byte[] published(String key) {
        return switch (random.nextInt(12)) {
            case 0 -> json.drawn(random.nextInt(1, 300));
            case 1 -> "k".repeat(random.nextInt(1, 5_000)).getBytes(UTF_8);
            case 2 -> FuzzedBroker.keys(ServerUnderFuzz.GOOD).getBytes(UTF_8);
            case 3 -> new byte[0];
            default -> key.getBytes(UTF_8);
        };
    }

    /// Waits until a task that is published now has been looked at.
    private void sync(String key) throws IOException {
        var task =
                JsonObject.builder()
                        .put("task_id", key)
                        .put("function_id", "noop")
                        .put("status", "QUEUED")
                        .build();
        var _ = redis.set(key, new String(JsonText.write(task), UTF_8));
        var _ = redis.publish(CHANNEL, key);
        var deadline = System.nanoTime() + LONGEST.toNanos();
        for (var status = "QUEUED"; status.equals("QUEUED"); status = status(redis.get(key))) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(key + " was published and not looked at in " + LONGEST);
            }
            LockSupport.parkNanos(GLANCE.toNanos());
        }
    }

    private static String status(@Nullable String text) {
        try {
            return text != null && JsonText.read(text) instanceof JsonObject value
                    ? value.string("status").orElse("none")
                    : "none";
        } catch (MalformedJson hostile) {
            return "none";
        }
    }

    @Override
    public void close() {
        redis.close();
    }
}
