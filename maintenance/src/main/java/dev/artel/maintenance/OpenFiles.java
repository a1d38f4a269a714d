package dev.artel.maintenance;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Which processes of this machine have a file open, as far as this user may see them; none where there is no `/proc`.
final class OpenFiles {
    private static final Path PROCESSES = Path.of("/proc");

    private OpenFiles() {}

    /// Their names and numbers, as in `sqlite3 (4711)`, without this process and `known`.
    static List<String> holders(Path file, String known) {
        var self = Long.toString(ProcessHandle.current().pid());
        var holders = new ArrayList<String>();
        if (!Files.isDirectory(PROCESSES)) {
            return holders;
        }
        try (var processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var process : processes) {
                var number = process.getFileName().toString();
                if (!number.equals(self) && !number.equals(known) && has(process, file)) {
                    holders.add(nameOf(process) + " (" + number + ")");
                }
            }
        } catch (IOException unseen) {
            return holders; // what was seen so far
        }
        return holders;
    }

    private static boolean has(Path process, Path file) {
        try (DirectoryStream<Path> open = Files.newDirectoryStream(process.resolve("fd"))) {
            for (var descriptor : open) {
                if (Files.readSymbolicLink(descriptor).equals(file)) {
                    return true;
                }
            }
            return false;
        } catch (IOException goneOrNotOurs) {
            return false;
        }
    }

    private static String nameOf(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip();
        } catch (IOException gone) {
            return "a process";
        }
    }
}
