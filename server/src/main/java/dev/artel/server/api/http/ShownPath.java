package dev.artel.server.api.http;

import dev.artel.kernel.attempt.LeaseToken;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The paths of requests, for people and logs. Workers name an attempt in the path by its lease token, which proves the right to report: here it is the
/// hand-out without that proof.
public final class ShownPath {
    private static final int LONGEST_TOKEN = 1024;

    private ShownPath() {}

    /// `path`, as a request has it, without the proof in lease tokens.
    public static String of(String path) {
        // Each token has dots, or escapes in their place.
        return path.indexOf('.') < 0 && path.indexOf('%') < 0
                ? path
                : Arrays.stream(path.split("/", -1))
                        .map(ShownPath::segment)
                        .collect(Collectors.joining("/"));
    }

    private static String segment(String segment) {
        var parameters = segment.indexOf(';');
        var name = decoded(parameters < 0 ? segment : segment.substring(0, parameters));
        if (name.isBlank() || name.length() > LONGEST_TOKEN) {
            return segment;
        }
        var handOut = new LeaseToken(name).handOut();
        return handOut.isEmpty() ? segment : handOut;
    }

    private static String decoded(String segment) {
        try {
            return URLDecoder.decode(segment, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException noEscapes) {
            return segment;
        }
    }
}
