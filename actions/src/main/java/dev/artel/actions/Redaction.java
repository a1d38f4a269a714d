package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.IntConsumer;

/// Hides secrets in what comes back: as they are, and as they are written in URLs, in JSON, in HTML and in Base64.
final class Redaction {
    /// Hides nothing.
    static final Redaction NONE = new Redaction(List.of());

    private static final String HIDDEN = "***";

    private static final List<String> QUOTES = List.of("\"", "&quot;", "&#34;");
    private static final List<String> APOSTROPHES = List.of("'", "&#39;", "&#x27;", "&apos;");

    private final List<Form> forms;

    private Redaction(List<Form> forms) {
        this.forms = forms;
    }

    /// Hides `values`.
    static Redaction of(Collection<String> values) {
        var forms = new LinkedHashSet<String>();
        for (var value : values) {
            var inUrl = URLEncoder.encode(value, UTF_8);
            var inJson = new JsonString(value).toString();
            forms.add(value);
            forms.add(inUrl);
            forms.add(inUrl.replace("+", "%20"));
            forms.add(lowerHex(inUrl));
            forms.add(lowerHex(inUrl.replace("+", "%20")));
            forms.add(inJson.substring(1, inJson.length() - 1));
            forms.add(inJson.substring(1, inJson.length() - 1).replace("/", "\\/"));
            var inHtml = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
            for (var quote : QUOTES) {
                for (var apostrophe : APOSTROPHES) {
                    forms.add(inHtml.replace("\"", quote).replace("'", apostrophe));
                }
            }
            addBase64(forms, value.getBytes(UTF_8));
        }
        return new Redaction(forms.stream().map(Form::of).toList());
    }

    /// Alone, and within other bytes: a third of all places in Base64 begin with each of its characters, and those at the ends depend
    /// on the neighbours.
    private static void addBase64(Collection<String> forms, byte[] value) {
        for (var encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
            forms.add(encoder.encodeToString(value));
            forms.add(encoder.withoutPadding().encodeToString(value));
            for (var before = 0; before < 3; before++) {
                var bytes = new byte[before + value.length];
                System.arraycopy(value, 0, bytes, before, value.length);
                var first = (before * 8 + 5) / 6;
                forms.add(
                        encoder.withoutPadding()
                                .encodeToString(bytes)
                                .substring(first, (int) (bytes.length * 8L / 6)));
            }
        }
    }

    /// Text to be found, in time of the length of what is searched (Knuth, Morris and Pratt).
    private static final class Form {
        private final String text;

        /// Of each beginning of the text: how long the longest other beginning is with which it ends.
        private final int[] borders;

        private Form(String text, int[] borders) {
            this.text = text;
            this.borders = borders;
        }

        static Form of(String text) {
            var borders = new int[text.length()];
            for (int at = 1, length = 0; at < borders.length; at++) {
                while (length > 0 && text.charAt(at) != text.charAt(length)) {
                    length = borders[length - 1];
                }
                if (text.charAt(at) == text.charAt(length)) {
                    length++;
                }
                borders[at] = length;
            }
            return new Form(text, borders);
        }

        /// Where it begins in `searched`, in order, also where one overlaps the next.
        void find(String searched, IntConsumer begins) {
            var length = 0;
            for (var at = searched.indexOf(text.charAt(0));
                    at >= 0 && at < searched.length();
                    at++) {
                var next = searched.charAt(at);
                while (length > 0 && (length == text.length() || next != text.charAt(length))) {
                    length = borders[length - 1];
                }
                if (next == text.charAt(length)) {
                    length++;
                }
                if (length == text.length()) {
                    begins.accept(at + 1 - length);
                }
            }
        }
    }

    private static String lowerHex(String inUrl) {
        var text = new StringBuilder(inUrl);
        for (var at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
            text.replace(at, at + 3, text.substring(at, at + 3).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }

    /// `text` with `***` in place of all that is to be hidden, one for all that overlaps.
    String text(String text) {
        var ends = new Ends(text.length());
        for (var form : forms) {
            form.find(text, begin -> ends.add(begin, begin + form.text.length()));
        }
        return ends.hideIn(text);
    }

    /// Where ranges that begin at a place end.
    private static final class Ends {
        private final int length;
        private int[] byBegin = {};

        Ends(int length) {
            this.length = length;
        }

        void add(int begin, int end) {
            if (byBegin.length == 0) {
                byBegin = new int[length];
            }
            byBegin[begin] = Math.max(byBegin[begin], end);
        }

        String hideIn(String text) {
            if (byBegin.length == 0) {
                return text;
            }
            var hidden = new StringBuilder();
            var end = 0;
            for (var at = 0; at < length; at++) {
                if (byBegin[at] > end) {
                    if (at >= end) {
                        hidden.append(HIDDEN);
                    }
                    end = byBegin[at];
                }
                if (at >= end) {
                    hidden.append(text.charAt(at));
                }
            }
            return hidden.toString();
        }
    }

    JsonObject object(JsonObject object) {
        return forms.isEmpty() ? object : (JsonObject) value(object);
    }

    JsonValue value(JsonValue value) {
        if (forms.isEmpty()) {
            return value;
        }
        return switch (value) {
            case JsonString(var text) -> new JsonString(text(text));
            case JsonNumber number ->
                    text(number.toString()).equals(number.toString())
                            ? number
                            : new JsonString(HIDDEN);
            case JsonArray(var values) -> new JsonArray(values.stream().map(this::value).toList());
            case JsonObject object -> {
                var members = JsonObject.builder();
                object.members().forEach((name, member) -> members.put(text(name), value(member)));
                yield members.build();
            }
            default -> value;
        };
    }

    /// `failure` if its messages hide everything, else one of the same meaning that does.
    Exception failure(Exception failure) {
        if (forms.isEmpty() || isHidden(failure)) {
            return failure;
        }
        var message = text(String.valueOf(failure.getMessage()));
        return switch (failure) {
            case InvalidInput _ -> new InvalidInput(message);
            case PermanentFailure _ -> new PermanentFailure(message);
            case IOException _ -> new IOException(message);
            default -> new IllegalStateException(message);
        };
    }

    private boolean isHidden(Throwable failure) {
        for (var each = failure; each != null; each = each.getCause()) {
            if (!text(each.toString()).equals(each.toString())) {
                return false;
            }
        }
        return true;
    }
}
