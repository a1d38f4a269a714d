package dev.artel.e2e.fuzz;

import java.util.List;

/// What a server holds on to at a moment.
///
/// @param heap bytes in use after a collection
/// @param descriptors open files and sockets
/// @param threads of all kinds, the virtual ones included
/// @param names of the platform threads, without blanks
record HeldByServer(long heap, long descriptors, long threads, List<String> names) {
    HeldByServer {
        names = List.copyOf(names);
    }

    /// In one line, for [#read].
    String write() {
        return heap + " " + descriptors + " " + threads + " " + String.join(" ", names);
    }

    static HeldByServer read(String line) {
        var words = List.of(line.split(" ", -1));
        return new HeldByServer(
                Long.parseLong(words.get(0)),
                Long.parseLong(words.get(1)),
                Long.parseLong(words.get(2)),
                words.subList(3, words.size()));
    }

    @Override
    public String toString() {
        return "%.1f MB, %d open files, %d threads".formatted(heap / 1e6, descriptors, threads);
    }
}
