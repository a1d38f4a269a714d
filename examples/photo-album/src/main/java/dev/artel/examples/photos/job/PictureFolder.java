package dev.artel.examples.photos.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Which files of a folder go into an album, and where their thumbnails are.
public final class PictureFolder {
    /// Among them kinds that cannot be read: their owner learns why they are left out.
    private static final Set<String> ENDINGS =
            Set.of(
                    "jpg", "jpeg", "jpe", "png", "gif", "bmp", "tif", "tiff", "webp", "heic",
                    "heif", "avif");

    private PictureFolder() {}

    /// The files that call themselves pictures, by name; not those in folders below, nor hidden ones.
    public static List<Path> pictures(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(PictureFolder::isPicture).sorted().toList();
        }
    }

    /// Where the thumbnail of `picture` is in the album in `out`.
    public static Path thumbnail(Path out, Path picture) {
        var name = picture.getFileName().toString();
        var keeps = Set.of("jpg", "jpeg", "png").contains(ending(name));
        return out.resolve("thumbnails").resolve(keeps ? name : name + ".jpg");
    }

    private static boolean isPicture(Path file) {
        var name = file.getFileName().toString();
        return !name.startsWith(".") && ENDINGS.contains(ending(name)) && Files.isRegularFile(file);
    }

    private static String ending(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }
}
