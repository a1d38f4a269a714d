package dev.artel.access;

import dev.artel.files.PrivateFiles;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// What clients have used up this month, in a file that is whole at every moment.
final class QuotaFile {
    static final String NAME = "quota.json";

    private final Path file;

    QuotaFile(Path file) {
        this.file = file;
    }

    /// @param used how much each client has used
    record Used(YearMonth month, SequencedMap<String, Long> used) {}

    /// What was written last; nothing of `now` if nothing was.
    ///
    /// @throws UncheckedIOException if it cannot be read
    /// @throws MalformedJson if it is damaged
    Used read(YearMonth now) {
        var used = new LinkedHashMap<String, Long>();
        if (!Files.exists(file)) {
            return new Used(now, used);
        }
        try {
            if (JsonText.read(Files.readAllBytes(file)) instanceof JsonObject json) {
                json.object("used")
                        .orElse(JsonObject.EMPTY)
                        .members()
                        .forEach((client, value) -> {
                            if (value instanceof JsonNumber number) {
                                used.put(client, number.asLong());
                            }
                        });
                return new Used(YearMonth.parse(json.string("month").orElse("")), used);
            }
        } catch (DateTimeException noMonth) {
            throw new UncheckedIOException(
                    new IOException(file + " is damaged: it names no month", noMonth));
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        throw new UncheckedIOException(new IOException(file + " is damaged: it is no object"));
    }

    /// Writes `used`; durable when it returns.
    void write(Used used) throws IOException {
        var counts = JsonObject.builder();
        used.used().forEach((client, count) -> counts.put(client, JsonValue.of(count)));
        var text =
                JsonText.write(
                        JsonObject.builder()
                                .put("month", used.month().toString())
                                .put("used", counts.build())
                                .build());
        var beside = file.resolveSibling(NAME + ".new");
        PrivateFiles.makeFile(beside);
        try (var channel =
                FileChannel.open(
                        beside,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            var left = ByteBuffer.wrap(text);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(beside, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
