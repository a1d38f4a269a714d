package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random secrets, each written in random ways.
final class RedactionPropertyTest {
    private static final String CHARACTERS =
            "abcxyzABCXYZ0123456789+/-_=&%\\\"'<> #;.,:!?$@()[]{}|~^`*ü\u00dfé\u00ffЖ€漢😀\u00e3";

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 1000) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aSecretInTwoNotationsOverEachOther_isHiddenAsAWhole(long seed) {
        var random = new SplittableRandom(seed);
        var secret = secret(random);
        var other = secret(random);
        var redaction = Redaction.of(List.of(secret, "0" + secret(random)));

        var written = written(secret, random, 2);

        assertThat(redaction.text("[ " + written + " ]")).as(written).isEqualTo("[ *** ]");
        var otherWritten = written(other, random, 2);
        assertThat(redaction.text(otherWritten)).isEqualTo(otherWritten);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aSecretWithinBase64_isHidden_andItsNeighboursAreNot(long seed) {
        var random = new SplittableRandom(seed);
        var secret = secret(random);
        var redaction = Redaction.of(List.of(secret));
        var before = "u".repeat(random.nextInt(100));
        var after = "v".repeat(random.nextInt(100));

        var whole = base64(before + secret + after, random);
        var lines = broken(whole, random).replace("\n", "\n" + " ".repeat(random.nextInt(3)));
        var shown = redaction.text("[ " + lines + " ]");

        // A character at each end may have bits of a neighbour, and of the secret
        var begin = before.length() * 8 / 6;
        var end = ((before + secret).getBytes(UTF_8).length * 8 + 5) / 6;
        assertThat(shown.replaceAll("[\\r\\n]+ *", ""))
                .isEqualTo(
                        "[ "
                                + whole.substring(0, begin)
                                + "***"
                                + (after.isEmpty() ? "" : whole.substring(end))
                                + " ]");
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aSecretInBrokenBase64_inTwoNotations_isHidden(long seed) {
        var random = new SplittableRandom(seed);
        var secret = secret(random);

        var written = written(broken(base64(secret, random), random), random, 2);

        assertThat(Redaction.of(List.of(secret)).text("[ " + written + " ]"))
                .as(written)
                .isEqualTo("[ *** ]");
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void aSecretInPieces_isHiddenInEach(long seed) {
        var random = new SplittableRandom(seed);
        var secret = secret(random);
        var written = written(secret, random, 1);
        var expected = new ArrayList<JsonValue>();
        var pieces = new ArrayList<JsonValue>();
        for (var at = 0; at < written.length(); ) {
            var end =
                    pieces.isEmpty() ? 1 + random.nextInt(written.length() - 1) : written.length();
            if (random.nextInt(3) == 0) {
                end = at + 1 + random.nextInt(end - at);
            }
            pieces.add(new JsonString((at == 0 ? "[ " : "") + written.substring(at, end)));
            expected.add(new JsonString(at == 0 ? "[ ***" : "***"));
            at = end;
        }
        pieces.add(JsonObject.builder().put("b", " ]").build());
        expected.add(JsonObject.builder().put("b", " ]").build());

        assertThat(Redaction.of(List.of(secret)).value(new JsonArray(pieces)))
                .as(pieces.toString())
                .isEqualTo(new JsonArray(expected));
    }

    private static String secret(SplittableRandom random) {
        var secret = new StringBuilder();
        var points = CHARACTERS.codePoints().toArray();
        var length = 12 + random.nextInt(80);
        while (secret.length() < length) {
            secret.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return "k" + secret + "k";
    }

    private static String written(String text, SplittableRandom random, int most) {
        var written = text;
        var times = random.nextInt(most + 1);
        for (var i = 0; i < times; i++) {
            written =
                    switch (random.nextInt(4)) {
                        case 0 -> html(written, random);
                        case 1 -> json(written, random);
                        case 2 -> url(written, random, "%20");
                        default -> url(written, random, "+");
                    };
        }
        return written;
    }

    private static String html(String text, SplittableRandom random) {
        var html = new StringBuilder();
        text.codePoints()
                .forEach(each -> {
                    var named =
                            switch (each) {
                                case '&' -> "&amp;";
                                case '<' -> "&lt;";
                                case '>' -> "&gt;";
                                case '"' -> "&quot;";
                                case '\'' -> "&apos;";
                                case '/' -> "&sol;";
                                case 'ü' -> "&uuml;";
                                case '\u00ff' -> "&yuml;";
                                default -> "";
                            };
                    switch (random.nextInt(named.isEmpty() ? 6 : 4)) {
                        case 0 -> html.append("&#x").append(Integer.toHexString(each)).append(';');
                        case 1 -> html.append("&#X%04X;".formatted(each));
                        case 2 -> html.append("&#").append(each).append(';');
                        default -> {
                            if (named.isEmpty()) {
                                html.appendCodePoint(each);
                            } else {
                                html.append(named);
                            }
                        }
                    }
                });
        return html.toString();
    }

    private static String json(String text, SplittableRandom random) {
        var json = new StringBuilder();
        text.codePoints()
                .forEach(each -> {
                    if (random.nextInt(4) == 0) {
                        var format = random.nextBoolean() ? "\\u%04x" : "\\u%04X";
                        for (var unit : Character.toChars(each)) {
                            json.append(format.formatted((int) unit));
                        }
                    } else if (each == '\n') {
                        json.append("\\n");
                    } else if (each == '\r') {
                        json.append("\\r");
                    } else {
                        if (each == '"' || each == '\\' || (each == '/' && random.nextBoolean())) {
                            json.append('\\');
                        }
                        json.appendCodePoint(each);
                    }
                });
        return json.toString();
    }

    private static String url(String text, SplittableRandom random, String blank) {
        var url = new StringBuilder();
        text.codePoints()
                .forEach(each -> {
                    if (each == ' ') {
                        url.append(blank);
                    } else if (each < 0x80
                            && (Character.isLetterOrDigit(each) || "-_.~".indexOf(each) >= 0)
                            && random.nextInt(5) > 0) {
                        url.append((char) each);
                    } else {
                        for (var unit : Character.toString(each).getBytes(UTF_8)) {
                            url.append(
                                    (random.nextBoolean() ? "%%%02x" : "%%%02X").formatted(unit));
                        }
                    }
                });
        return url.toString();
    }

    private static String base64(String text, SplittableRandom random) {
        var encoder = random.nextBoolean() ? Base64.getEncoder() : Base64.getUrlEncoder();
        return (random.nextBoolean() ? encoder : encoder.withoutPadding())
                .encodeToString(text.getBytes(UTF_8));
    }

    private static String broken(String base64, SplittableRandom random) {
        return switch (random.nextInt(4)) {
            case 0 -> base64.replaceAll(".{64}(?=.)", "$0\n");
            case 1 -> base64.replaceAll(".{76}(?=.)", "$0\r\n");
            default -> base64;
        };
    }
}
