package dev.artel.blueprint.function;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.stream.Stream;

/// One thing for which a function has asked, as its history has it.
///
/// @param kind such as `call` or `record`
/// @param name of the task, the child or the record; may be empty
/// @param digest of the parameters; may be empty
/// @param value what was returned at once; empty for an operation, which is answered later
record Item(String kind, String name, String digest, Optional<JsonValue> value) {
    static final String VERSION = "version";

    /// Of the digest: enough to see that parameters differ.
    private static final int DIGITS = 16;

    static Item operation(String kind, String name, String params) {
        return new Item(kind, name, digest(params), Optional.empty());
    }

    /// As [#operation(String,String,String)] of `count` and all of `each`, a line for each, without the whole text in memory.
    static Item operation(String kind, String name, int count, Stream<String> each) {
        var sha = sha256();
        sha.update(bytes(count + "\n"));
        var parts = each.iterator();
        while (parts.hasNext()) {
            sha.update(bytes(parts.next()));
            if (parts.hasNext()) {
                sha.update((byte) '\n');
            }
        }
        return new Item(kind, name, digits(sha), Optional.empty());
    }

    static Item value(String kind, String name, JsonValue value) {
        return new Item(kind, name, "", Optional.of(value));
    }

    boolean isOperation() {
        return value.isEmpty();
    }

    /// Whether both ask for the same.
    boolean asks(Item other) {
        return kind.equals(other.kind) && name.equals(other.name) && digest.equals(other.digest);
    }

    /// For people; names the digest only where all else is the same.
    String text(Item other) {
        var what = name.isEmpty() ? kind : kind + " '" + name + "'";
        return kind.equals(other.kind) && name.equals(other.name)
                ? what + " with parameters of digest " + digest
                : what;
    }

    JsonObject json() {
        var json = JsonObject.builder().put("k", kind);
        if (!name.isEmpty()) {
            json.put("n", name);
        }
        if (!digest.isEmpty()) {
            json.put("d", digest);
        }
        value.ifPresent(it -> json.put("v", it));
        return json.build();
    }

    static Item of(JsonValue json) {
        var object = (JsonObject) json;
        return new Item(
                object.string("k").orElseThrow(),
                object.string("n").orElse(""),
                object.string("d").orElse(""),
                object.get("v"));
    }

    private static String digest(String params) {
        if (params.isEmpty()) {
            return "";
        }
        var sha = sha256();
        sha.update(bytes(params));
        return digits(sha);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digits(MessageDigest sha) {
        return HexFormat.of().formatHex(sha.digest()).substring(0, DIGITS);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
