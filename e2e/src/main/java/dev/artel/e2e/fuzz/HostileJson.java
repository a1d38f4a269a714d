package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Valid messages made into hostile ones: wrong types, members that are missing or odd, other workers' names and leases, numbers without end, deep nesting,
/// texts that are no text, bytes that are cut, changed or drawn. For one thread.
final class HostileJson {
    private static final int REMEMBERED = 64;

    private static final List<JsonValue> ODD =
            List.of(
                    JsonNull.NULL,
                    JsonValue.of(true),
                    JsonNumber.of(0),
                    JsonNumber.of(-1),
                    JsonNumber.of(Long.MAX_VALUE),
                    JsonNumber.of(1e300),
                    JsonNumber.of(0.5),
                    new JsonString(""),
                    new JsonString(" "),
                    new JsonString("12"),
                    new JsonString("NaN"),
                    new JsonString("x".repeat(300)),
                    new JsonString("../../etc/passwd"),
                    new JsonString("a\u0000b\u202e\ud83d\ude00\n"),
                    JsonArray.EMPTY,
                    JsonArray.of(JsonNull.NULL, JsonValue.of(7), JsonArray.EMPTY),
                    JsonObject.EMPTY,
                    JsonObject.of("a", JsonObject.of("b", JsonArray.EMPTY)));

    /// What a worker claims to have spent on an attempt.
    static final JsonObject METRICS =
            JsonObject.builder()
                    .put("cost_usd", new JsonString("0.01"))
                    .put("input_tokens", 10)
                    .put("output_tokens", 10)
                    .put("total_tokens", 20)
                    .build();

    /// How many members or values a large message has, and bytes a large text.
    private static final int MANY = 100_000;

    private static final int LARGE = 1 << 20;

    /// In place of a value, as text: what the library cannot write.
    private static final List<String> RAW =
            List.of(
                    "9".repeat(400),
                    "-" + "9".repeat(5_000),
                    "1e999999999",
                    "-1e-999999999",
                    "0." + "3".repeat(2_000),
                    "-0",
                    "-0.0",
                    "0e999999999",
                    "1e-400",
                    "1e+2147483648",
                    "1e-2147483649",
                    "1e31",
                    "9".repeat(41),
                    "0." + "0".repeat(45) + "1",
                    "9007199254740993",
                    "18446744073709551616",
                    "\"1e999999999\"",
                    "\"" + "9".repeat(60) + "\"",
                    "\"-0.00\"",
                    "\"Infinity\"",
                    "\"\\ud800\"",
                    "\"\\u0000\"",
                    "[".repeat(200) + "]".repeat(200),
                    "[".repeat(20_000),
                    "{\"a\":".repeat(3_000) + "1" + "}".repeat(3_000),
                    "tru",
                    "01",
                    "\"open",
                    "{\"twice\":1,\"twice\":2}");

    private static final List<String> NO_OBJECTS =
            List.of(
                    "null",
                    "[]",
                    "7",
                    "{",
                    "",
                    "\"text\"",
                    "{}",
                    "}",
                    "\u0000",
                    "\ufeff{}",
                    "[[[[");

    private static final String MARK = "\u0001here";

    private final SplittableRandom random;
    private final Stolen stolen;
    private final int number;
    private final List<String> leases = new ArrayList<>();

    /// What strangers have got to know of the worker that keeps to the protocol.
    interface Stolen {
        /// The lease of a task that it has or had.
        String lease();
    }

    /// @param number of the hostile worker
    HostileJson(SplittableRandom random, int number, Stolen stolen) {
        this.random = random;
        this.number = number;
        this.stolen = stolen;
    }

    /// The lease of a task that the hostile worker itself has got.
    void obtained(String lease) {
        if (leases.size() == REMEMBERED) {
            leases.removeFirst();
        }
        leases.add(lease);
    }

    /// Mostly its own name.
    String id() {
        return switch (random.nextInt(12)) {
            case 0 -> ServerUnderFuzz.GOOD;
            case 1 -> ServerUnderFuzz.hostile((number + 1) % ServerUnderFuzz.HOSTILE);
            case 2 -> "stranger-" + random.nextInt(100);
            default -> ownId();
        };
    }

    String ownId() {
        return ServerUnderFuzz.hostile(number);
    }

    /// Mostly its own token.
    String token() {
        return switch (random.nextInt(16)) {
            case 0 -> "";
            case 1 -> " ";
            case 2 -> "no-token-" + random.nextInt(1_000);
            case 3 -> ServerUnderFuzz.token(ServerUnderFuzz.hostile((number + 1) % 8));
            default -> ownToken();
        };
    }

    String ownToken() {
        return ServerUnderFuzz.token(ownId());
    }

    /// Of a task of its own, of another worker, or of none.
    String lease() {
        return switch (random.nextInt(6)) {
            case 0, 1 -> stolen.lease();
            case 2 -> "0198a000-0000-7000-8000-000000000000.0.1.x" + random.nextInt(1_000);
            case 3 -> "no lease";
            default -> leases.isEmpty() ? "" : leases.get(random.nextInt(leases.size()));
        };
    }

    /// A job that there is, or not.
    String job() {
        var lease = lease();
        var end = lease.indexOf('.');
        return end < 0 ? lease : lease.substring(0, end);
    }

    /// The bytes of `valid`, mostly made hostile.
    byte[] of(JsonObject valid) {
        if (random.nextInt(2_000) == 0) {
            return large(valid);
        }
        return switch (random.nextInt(16)) {
            case 0, 1 -> JsonText.write(valid);
            case 2 -> cut(JsonText.write(valid));
            case 3 -> changed(JsonText.write(valid));
            case 4 -> drawn(random.nextInt(1, 200));
            case 5 -> pick(NO_OBJECTS).getBytes(UTF_8);
            case 6, 7 -> raw(valid);
            case 8 -> doubled(JsonText.write(valid));
            case 9, 10 -> JsonText.write(without(valid));
            default -> JsonText.write(odd(valid, random.nextInt(1, 4)));
        };
    }

    /// `valid` with other values in up to `count` places.
    JsonObject odd(JsonObject valid, int count) {
        var changed = valid;
        for (var i = 0; i < count; i++) {
            changed = replaced(changed, pick(ODD));
        }
        return changed;
    }

    private JsonObject replaced(JsonObject object, JsonValue value) {
        var names = List.copyOf(object.members().keySet());
        if (names.isEmpty()) {
            return object.with("odd", value);
        }
        var name = pick(names);
        var before = object.get(name).orElseThrow();
        return object.with(
                name,
                switch (before) {
                    case JsonObject inner when random.nextInt(3) > 0 -> replaced(inner, value);
                    case JsonArray array when random.nextBoolean() -> JsonArray.of(value, array);
                    default -> value;
                });
    }

    private JsonObject without(JsonObject object) {
        var names = new ArrayList<>(object.members().keySet());
        if (!names.isEmpty()) {
            names.remove(random.nextInt(names.size()));
        }
        var rest = JsonObject.builder();
        names.forEach(name -> rest.put(name, object.get(name).orElseThrow()));
        return rest.build();
    }

    private byte[] raw(JsonObject valid) {
        return marked(valid).replace(mark(), pick(RAW)).getBytes(UTF_8);
    }

    /// `valid` with the mark in place of a value.
    private String marked(JsonObject valid) {
        return new String(JsonText.write(replaced(valid, new JsonString(MARK))), UTF_8);
    }

    private static String mark() {
        return new String(JsonText.write(new JsonString(MARK)), UTF_8);
    }

    /// With something large in place of a value: a text, a number, a list, or an object.
    private byte[] large(JsonObject valid) {
        var text =
                switch (random.nextInt(4)) {
                    case 0 -> "\"" + "x".repeat(LARGE) + "\"";
                    case 1 -> "9".repeat(LARGE);
                    case 2 -> "[" + "1,".repeat(MANY) + "1]";
                    default -> {
                        var members = new StringBuilder("{");
                        for (var i = 0; i < MANY; i++) {
                            members.append('"').append(i).append("\":1,");
                        }
                        yield members.append("\"last\":1}").toString();
                    }
                };
        return marked(valid).replace(mark(), text).getBytes(UTF_8);
    }

    private byte[] cut(byte[] bytes) {
        return bytes.length == 0 ? bytes : Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }

    private byte[] changed(byte[] bytes) {
        for (var i = random.nextInt(1, 5); i > 0 && bytes.length > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static byte[] doubled(byte[] bytes) {
        var twice = Arrays.copyOf(bytes, bytes.length * 2);
        System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
        return twice;
    }

    /// Random bytes.
    byte[] drawn(int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    <T> T pick(List<T> among) {
        return among.get(random.nextInt(among.size()));
    }

    SplittableRandom random() {
        return random;
    }
}
