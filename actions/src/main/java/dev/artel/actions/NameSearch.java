package dev.artel.actions;

import dev.artel.worker.InvalidInput;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Looks for names of files in a folder and those in it, and follows no symbolic link. What clients write decides how much there is to look
/// at, so that a search ends at a number of files and folders, or where its thread is interrupted.
final class NameSearch extends SimpleFileVisitor<Path> {
    private final Path folder;
    private final Predicate<String> isWanted;
    private final int mostNames;
    private final int mostEntries;
    private final TreeSet<String> names = new TreeSet<>();
    private boolean hasMore;
    private int entries;

    private NameSearch(Path folder, Predicate<String> isWanted, int mostNames, int mostEntries) {
        this.folder = folder;
        this.isWanted = isWanted;
        this.mostNames = mostNames;
        this.mostEntries = mostEntries;
    }

    /// The first names, in order.
    ///
    /// @param hasMore whether there are others after them
    record Found(List<String> names, boolean hasMore) {
        static final Found NOTHING = new Found(List.of(), false);
    }

    /// Looks at all that is in `start`.
    ///
    /// @param folder to which names are relative
    /// @param start that folder, or one in it
    /// @param mostNames how many names are kept
    /// @param mostEntries how many files and folders are looked at
    /// @throws InvalidInput if there are more than `mostEntries`
    static Found of(
            Path folder, Path start, Predicate<String> isWanted, int mostNames, int mostEntries)
            throws IOException {
        var search = new NameSearch(folder, isWanted, mostNames, mostEntries);
        Files.walkFileTree(start, search);
        return new Found(List.copyOf(search.names), search.hasMore);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes its) throws IOException {
        count();
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes its) throws IOException {
        count();
        var name = FileStore.relative(folder, file);
        if (its.isRegularFile() && isWanted.test(name)) {
            names.add(name);
            if (names.size() > mostNames) {
                names.removeLast();
                hasMore = true;
            }
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
        return withoutWhatIsGone(failure);
    }

    @Override
    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException failure)
            throws IOException {
        return failure == null ? FileVisitResult.CONTINUE : withoutWhatIsGone(failure);
    }

    /// Others delete files meanwhile.
    private static FileVisitResult withoutWhatIsGone(IOException failure) throws IOException {
        if (failure instanceof NoSuchFileException) {
            return FileVisitResult.CONTINUE;
        }
        throw failure;
    }

    private void count() throws IOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("the task was stopped");
        }
        entries++;
        if (entries > mostEntries) {
            throw new InvalidInput(
                    String.format(
                            Locale.ROOT,
                            "there are more than %,d files and folders to look at; give a 'prefix' that names a folder with fewer, such as reports/2026/",
                            mostEntries));
        }
    }
}
