package dev.artel.config;

import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Reads values of settings. What cannot be read is reported as the end of a sentence that begins with the setting's
/// name.
public final class SettingParsers {
    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,15}) ?([A-Za-z]*)");

    /// The name of a header (RFC 9110 section 5.1).
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    private static final Pattern TIME_OF_BLUEPRINT =
            Pattern.compile("([A-Za-z0-9._-]{1,100}) *= *(.+)");

    private SettingParsers() {}

    static int whole(String text, int min, int max) {
        try {
            var number = Integer.parseInt(text.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "must be from " + min + " to " + max + ", was '" + text + "'");
    }

    static boolean yesOrNo(String text) {
        return switch (text.strip()) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default ->
                    throw new IllegalArgumentException("must be true or false, was '" + text + "'");
        };
    }

    /// A constant of `type`, in any case.
    static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
        return Stream.of(type.getEnumConstants())
                .filter(each -> each.name().equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "must be one of "
                                        + Stream.of(type.getEnumConstants())
                                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                                .collect(Collectors.joining(", "))
                                        + ", was '"
                                        + text
                                        + "'"));
    }

    static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(
                    "must be a path, was '" + text + "': " + e.getReason(), e);
        }
    }

    /// `30s`, `500ms`, `5m`, `12h`, `30d`, or as in ISO 8601.
    public static Duration duration(String text) {
        var amount = AMOUNT.matcher(text.strip());
        try {
            if (!amount.matches()) {
                return Duration.parse(text.strip());
            }
            var number = Long.parseLong(amount.group(1));
            var unit =
                    switch (amount.group(2)) {
                        case "ms" -> Duration.ofMillis(1);
                        case "s" -> Duration.ofSeconds(1);
                        case "m", "min" -> Duration.ofMinutes(1);
                        case "h" -> Duration.ofHours(1);
                        case "d" -> Duration.ofDays(1);
                        default -> Duration.ZERO;
                    };
            if (!unit.isZero()) {
                return unit.multipliedBy(number);
            }
        } catch (DateTimeException | ArithmeticException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "must be a time such as 30s, 5m, 12h or 30d, was '" + text + "'");
    }

    /// The same, from `least` to `most`.
    static Duration duration(String text, Duration least, Duration most) {
        var time = duration(text);
        if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "must be from " + shown(least) + " to " + shown(most) + ", was '" + text + "'");
        }
        return time;
    }

    private static String shown(Duration time) {
        return time.toSeconds() == 0
                ? time.toMillis() + "ms"
                : time.toHours() == 0 ? time.toSeconds() + "s" : time.toHours() + "h";
    }

    /// `4096`, `64KiB`, `1MiB`.
    static int bytes(String text) {
        var amount = AMOUNT.matcher(text.strip());
        if (amount.matches()) {
            var unit =
                    switch (amount.group(2).toLowerCase(Locale.ROOT)) {
                        case "", "b" -> 1L;
                        case "kib", "k", "kb" -> 1L << 10;
                        case "mib", "m", "mb" -> 1L << 20;
                        default -> 0L;
                    };
            var bytes = new BigDecimal(amount.group(1)).multiply(BigDecimal.valueOf(unit));
            if (unit > 0 && bytes.compareTo(BigDecimal.valueOf(1 << 30)) <= 0) {
                return bytes.intValueExact();
            }
        }
        throw new IllegalArgumentException(
                "must be a size such as 65536, 64KiB or 1MiB, was '" + text + "'");
    }

    /// Where the API of a language model begins. What is wrong is reported without it, since it may have a key.
    static URI modelUri(String text) {
        try {
            var uri = new URI(text.strip());
            var scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            if (uri.getHost() != null
                    && uri.getRawUserInfo() == null
                    && (scheme.equals("http") || scheme.equals("https"))) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "must be an address such as http://localhost:11434/v1 or https://api.openai.com/v1");
    }

    /// An address of a Redis. What is wrong is reported without it, since it may have a password.
    static URI redisUri(String text) {
        try {
            var uri = new URI(text.strip());
            var scheme = uri.getScheme();
            if (uri.getHost() != null && ("redis".equals(scheme) || "rediss".equals(scheme))) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "must be an address such as redis://localhost:6379 or rediss://USER:PASSWORD@HOST:PORT/DB");
    }

    static URI amqpUri(String text) {
        try {
            var uri = new URI(text.strip());
            var scheme = uri.getScheme();
            if (uri.getHost() != null && ("amqp".equals(scheme) || "amqps".equals(scheme))) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "must be an address such as amqp://USER:PASSWORD@HOST:PORT/VHOST, or with amqps");
    }

    /// A number from 0 to 1.
    static double part(String text) {
        try {
            var number = Double.parseDouble(text.strip());
            if (number >= 0 && number <= 1) {
                return number;
            }
        } catch (NumberFormatException _) {
            // reported below
        }
        throw new IllegalArgumentException("must be a number from 0 to 1, was '" + text + "'");
    }

    /// Headers as `OTEL_EXPORTER_OTLP_HEADERS` has them: `NAME=VALUE,NAME=VALUE`, values percent-encoded. What is wrong is
    /// reported without it, since it may have a key.
    static SequencedMap<String, String> headers(String text) {
        var headers = new LinkedHashMap<String, String>();
        for (var part : text.split(",", -1)) {
            var equals = part.indexOf('=');
            var name = equals < 0 ? "" : part.substring(0, equals).strip();
            if (!HEADER.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "must be headers such as NAME=VALUE,NAME=VALUE; number "
                                + (headers.size() + 1)
                                + " is none");
            }
            headers.put(name, headerValue(name, part.substring(equals + 1).strip()));
        }
        return headers;
    }

    private static String headerValue(String name, String encoded) {
        String value;
        try {
            value = URLDecoder.decode(encoded.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "has a value of " + name + " that is not percent-encoded", malformed);
        }
        if (!value.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException(
                    "has a value of " + name + " with characters that no header takes");
        }
        return value;
    }

    /// A text with something in it.
    static String notBlank(String text) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("must not be blank");
        }
        return text.strip();
    }

    /// An address with `http` or `https` and a host.
    static URI uri(String text) {
        try {
            var uri = new URI(text.strip());
            var scheme = uri.getScheme();
            if (uri.getHost() != null && ("http".equals(scheme) || "https".equals(scheme))) {
                return uri;
            }
        } catch (URISyntaxException _) {
            // reported below
        }
        throw new IllegalArgumentException(
                "must be an address such as http://10.0.0.7:9000, was '" + text + "'");
    }

    /// `order=7d, invoice=90d`: times by the names of blueprints.
    static SequencedMap<String, Duration> timesByBlueprint(String text) {
        var times = new LinkedHashMap<String, Duration>();
        for (var each : list(text)) {
            var parts = TIME_OF_BLUEPRINT.matcher(each);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "must name blueprints and their times such as order=7d, invoice=90d, was '"
                                + text
                                + "', of which '"
                                + each
                                + "' is none");
            }
            var blueprint = parts.group(1);
            Duration time;
            try {
                time = duration(parts.group(2));
            } catch (IllegalArgumentException noTime) {
                throw new IllegalArgumentException(
                        "of blueprint '" + blueprint + "' " + noTime.getMessage(), noTime);
            }
            if (times.put(blueprint, time) != null) {
                throw new IllegalArgumentException("names the blueprint '" + blueprint + "' twice");
            }
        }
        if (times.isEmpty()) {
            throw new IllegalArgumentException("must name at least one blueprint; leave it out");
        }
        return times;
    }

    static List<String> list(String text) {
        return Stream.of(text.split(",", -1))
                .map(String::strip)
                .filter(it -> !it.isEmpty())
                .toList();
    }
}
