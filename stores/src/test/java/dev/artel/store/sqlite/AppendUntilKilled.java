package dev.artel.store.sqlite;

import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.store.SampleAppends;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A process that appends to 20 jobs and prints, after each batch, how many events each job has for certain.
///
/// Arguments: the file, the events that each job has already.
final class AppendUntilKilled {
    static final int JOBS = 20;

    private AppendUntilKilled() {}

    @SuppressWarnings("SystemOut") // a program
    public static void main(String[] arguments) {
        var file = Path.of(arguments[0]);
        try (var store = SqliteEventStore.open(file, new JsonEventCodec())) {
            for (var version = Long.parseLong(arguments[1]); ; ) {
                var batch = batch(version);
                for (var result : store.append(batch)) {
                    if (!(result instanceof Appended)) {
                        throw new IllegalStateException("found " + result + " at " + version);
                    }
                }
                version += version == 0 ? 2 : 1;
                System.out.println(version);
            }
        }
    }

    private static List<Append> batch(long version) {
        var batch = new ArrayList<Append>();
        for (var i = 0; i < JOBS; i++) {
            var id = "j" + i;
            batch.add(
                    version == 0
                            ? SampleAppends.PLAIN.submit(id)
                            : SampleAppends.PLAIN.step(id, version));
        }
        return batch;
    }
}
