package dev.artel.server.wiring;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.server.api.admin.AuditLines;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Reads a file of [JsonLines], and those that were put aside, from the newest line back. Safe for use by many threads.
final class AuditReader implements AuditLines {
    /// Larger lines than any that is written; what is longer is passed over.
    private static final int PIECE = 1 << 20;

    private final Path file;

    AuditReader(Path file) {
        this.file = file.toAbsolutePath();
    }

    /// A file of lines.
    ///
    /// @param id the same after it was put aside
    private record Part(Path path, String id, long size) {}

    @Override
    public Optional<Place> newest() {
        var parts = parts();
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(new Place(parts.getFirst().id(), parts.getFirst().size()));
    }

    @Override
    public Optional<Place> back(Place from, Function<JsonObject, Step> each, long bytes) {
        var parts = parts();
        var number = 0;
        while (number < parts.size() && !parts.get(number).id().equals(from.file())) {
            number++;
        }
        if (number == parts.size()) {
            return Optional.empty(); // removed since, with all that is older
        }
        var left = bytes;
        var end = Math.min(from.end(), parts.get(number).size());
        while (true) {
            var part = parts.get(number);
            while (end > 0) {
                if (left <= 0) {
                    return Optional.of(new Place(part.id(), end));
                }
                var piece = piece(part, end);
                var begin = end - piece.length;
                // The first line may begin before the piece.
                var first = begin == 0 ? 0 : indexOf(piece, 0) + 1;
                if (begin > 0 && (first == 0 || first == piece.length)) {
                    left -= piece.length;
                    end = begin;
                    continue;
                }
                var stop = piece.length;
                while (stop > first) {
                    var start = startOf(piece, stop, first);
                    var step = read(piece, start, stop).map(each).orElse(Step.ON);
                    stop = start;
                    if (step == Step.STOP) {
                        return Optional.empty();
                    }
                    if (step == Step.FULL) {
                        return Optional.of(new Place(part.id(), begin + stop));
                    }
                }
                left -= piece.length - first;
                end = begin + first;
            }
            number++;
            if (number == parts.size()) {
                return Optional.empty();
            }
            end = parts.get(number).size();
        }
    }

    private static byte[] piece(Part part, long end) {
        try (var in = new RandomAccessFile(part.path().toFile(), "r")) {
            var begin = Math.max(0, end - PIECE);
            var bytes = new byte[(int) (end - begin)];
            in.seek(begin);
            in.readFully(bytes);
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException("reading the audit log " + part.path(), e);
        }
    }

    /// @return the place of the first end of a line from `from` on; -1: there is none
    private static int indexOf(byte[] piece, int from) {
        for (var i = from; i < piece.length; i++) {
            if (piece[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    /// @param stop behind the end of the line
    private static int startOf(byte[] piece, int stop, int first) {
        var start = stop - 1;
        while (start > first && piece[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    /// Empty for a line that was not written to its end.
    private static Optional<JsonObject> read(byte[] piece, int start, int stop) {
        var text = new String(piece, start, stop - start, StandardCharsets.UTF_8).strip();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            return JsonText.read(text.getBytes(StandardCharsets.UTF_8)) instanceof JsonObject line
                    ? Optional.of(line)
                    : Optional.empty();
        } catch (MalformedJson cut) {
            return Optional.empty();
        }
    }

    /// The newest first.
    private List<Part> parts() {
        List<Path> aside;
        try {
            aside = new ArrayList<>(JsonLines.besides(file));
        } catch (IOException e) {
            throw new UncheckedIOException("listing the audit logs beside " + file, e);
        }
        // Names end in the time at which the file was put aside.
        aside.sort(Comparator.comparing(Path::toString).reversed());
        aside.addFirst(file);
        return aside.stream().flatMap(path -> part(path).stream()).toList();
    }

    private static Optional<Part> part(Path path) {
        try {
            var key = Files.readAttributes(path, BasicFileAttributes.class);
            return Optional.of(
                    new Part(
                            path,
                            Optional.ofNullable(key.fileKey())
                                    .map(Object::toString)
                                    .orElseGet(path::toString),
                            key.size()));
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("reading the audit log " + path, e);
        }
    }
}
