package dev.artel.server.api.submit;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonThreads;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/// What a client asked for, in its own words: a relative deadline is the same when the request is sent again.
final class RequestDigest {
    private RequestDigest() {}

    static String of(String blueprint, JsonObject fields) {
        return JsonThreads.compute(fields, () -> digest(blueprint, fields));
    }

    private static String digest(String blueprint, JsonObject fields) {
        var asked = new TreeMap<>(fields.members());
        asked.remove("blueprint");
        asked.remove("idempotency_key");
        // Each signal has an id of its own: another one for the same job is no other job.
        asked.remove("signal");
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            sha.update((blueprint + '\0').getBytes(StandardCharsets.UTF_8));
            asked.forEach((name, value) ->
                    sha.update((name + '\0' + value + '\0').getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(sha.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }
}
