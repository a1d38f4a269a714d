package dev.artel.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Signs tasks as workers of the later generations check them: HMAC-SHA256 over a canonical text of those members of a task that they
/// know. Members are in the order of their names, without null members, without blanks, numbers without a fraction are written as
/// whole ones, and numbers beyond all doubles are null. Safe for use by many threads.
public final class TaskSigner {
    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /// Signs with `secret`, which the workers have as well.
    public TaskSigner(String secret) {
        key = new SecretKeySpec(secret.getBytes(UTF_8), ALGORITHM);
    }

    /// `task` with its signature.
    public TaskAssignment signed(TaskAssignment task) {
        return task.withSignature(signature(task));
    }

    /// The signature of `task`, in lower-case hexadecimal.
    String signature(TaskAssignment task) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(canonical(task).getBytes(UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }

    /// What those workers know of a task.
    static String canonical(TaskAssignment task) {
        var known =
                JsonObject.builder()
                        .put("job_id", task.jobId())
                        .put("task_id", task.taskId())
                        .put("type", task.type())
                        .put("params", task.params())
                        .put("tracing_context", task.tracingContext());
        var terms = task.terms();
        known.put("priority", JsonNumbers.of(terms.priority()));
        if (terms.deadline() != null) {
            known.put("deadline", terms.deadline().toEpochMilli());
        }
        var text = new StringBuilder();
        write(known.build(), text);
        return text.toString();
    }

    private static void write(JsonValue value, StringBuilder text) {
        switch (value) {
            case JsonObject object -> {
                var members = new TreeMap<String, JsonValue>(TaskSigner::byCodePoints);
                members.putAll(object.members());
                members.values().removeIf(TaskSigner::isNull);
                text.append('{');
                var separator = "";
                for (var member : members.entrySet()) {
                    text.append(separator);
                    write(member.getKey(), text);
                    text.append(':');
                    write(member.getValue(), text);
                    separator = ",";
                }
                text.append('}');
            }
            case JsonArray(var values) -> {
                text.append('[');
                var separator = "";
                for (var each : values) {
                    text.append(separator);
                    write(isNull(each) ? JsonNull.NULL : each, text);
                    separator = ",";
                }
                text.append(']');
            }
            case JsonString(var string) -> write(string, text);
            case JsonNumber number -> write(number, text);
            case JsonBoolean flag -> text.append(flag.value());
            case JsonNull _ -> text.append("null");
        }
    }

    /// Whether their library writes `value` as null: there a number beyond all doubles is an infinite one.
    private static boolean isNull(JsonValue value) {
        return value instanceof JsonNull
                || (value instanceof JsonNumber number && Double.isInfinite(number.asDouble()));
    }

    /// The order of UTF-8.
    private static int byCodePoints(String one, String other) {
        return Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
    }

    private static void write(String string, StringBuilder text) {
        text.append('"');
        for (var i = 0; i < string.length(); i++) {
            var c = string.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\b' -> text.append("\\b");
                case '\t' -> text.append("\\t");
                case '\n' -> text.append("\\n");
                case '\f' -> text.append("\\f");
                case '\r' -> text.append("\\r");
                default -> {
                    if (c < ' ') {
                        text.append("\\u00").append(HexFormat.of().toHexDigits((byte) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    /// Whole numbers of 64 bits as they are, all others as a double, which is finite: the shortest digits that read back as it.
    private static void write(JsonNumber number, StringBuilder text) {
        if (number.isLong()) {
            text.append(number.asLong());
            return;
        }
        if (isWhole(number)) {
            text.append(number);
            return;
        }
        var value = number.asDouble();
        if (value == Math.rint(value) && Math.abs(value) < 0x1p64) {
            text.append(new BigDecimal(value).toBigInteger());
            return;
        }
        var shortest = shortest(Math.abs(value));
        var digits = shortest.unscaledValue().toString();
        var point = digits.length() - shortest.scale();
        text.append(value < 0 ? "-" : "");
        if (point > 0 && point <= 16) {
            text.append(digits, 0, point).append('.').append(digits, point, digits.length());
        } else if (point > -5 && point <= 0) {
            text.append("0.").append("0".repeat(-point)).append(digits);
        } else {
            text.append(digits.charAt(0));
            if (digits.length() > 1) {
                text.append('.').append(digits, 1, digits.length());
            }
            text.append('e').append(point - 1);
        }
    }

    /// Java writes two digits at least, also of the smallest numbers, for which one is enough.
    private static BigDecimal shortest(double value) {
        var two = BigDecimal.valueOf(value).stripTrailingZeros();
        var one = two.round(new MathContext(1, RoundingMode.HALF_EVEN));
        return one.doubleValue() == value ? one : two;
    }

    /// Beyond 63 bits and written without fraction or exponent, it is whole there as well.
    private static boolean isWhole(JsonNumber number) {
        var written = number.toString();
        return written.length() <= 20 && written.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
