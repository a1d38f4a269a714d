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
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/// Hides secrets in what comes back: as they are, and as they are written in URLs, in JSON, in HTML and in Base64.
final class Redaction {
    /// Hides nothing.
    static final Redaction NONE = new Redaction(List.of());

    private static final String HIDDEN = "***";

    private final List<String> forms;

    private Redaction(List<String> forms) {
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
            forms.add(
                    value.replace("&", "&amp;")
                            .replace("<", "&lt;")
                            .replace(">", "&gt;")
                            .replace("\"", "&quot;"));
            forms.add(Base64.getEncoder().encodeToString(value.getBytes(UTF_8)));
        }
        // One that is within another would leave a part of it.
        return new Redaction(
                forms.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList());
    }

    private static String lowerHex(String inUrl) {
        var text = new StringBuilder(inUrl);
        for (var at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
            text.replace(at, at + 3, text.substring(at, at + 3).toLowerCase(Locale.ROOT));
        }
        return text.toString();
    }

    String text(String text) {
        var hidden = text;
        for (var form : forms) {
            hidden = hidden.replace(form, HIDDEN);
        }
        return hidden;
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
