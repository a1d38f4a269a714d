package dev.artel.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/// Pictures of the dashboard for the documents. They are written there with `-Dpictures.write=true`, and beside the other screenshots without it.
final class Picture {
    /// Whether they go into the documents, so that a test may wait until there is more to see.
    static final boolean IS_WRITTEN = Boolean.getBoolean("pictures.write");

    /// Sharp also on screens with small pixels.
    static final double DENSITY = 2;

    private static final Path FOLDER =
            IS_WRITTEN
                    ? Path.of("..", "docs", "images")
                    : Path.of("target", "screenshots", "pictures");
    private static final int MOST_BYTES = 200_000;

    /// The browser itself compresses: WebP keeps text sharp at a fifth of what PNG takes.
    private static final String COMPRESS =
            """
            async ([png, quality]) => {
              const image = await createImageBitmap(await (await fetch('data:image/png;base64,' + png)).blob());
              const canvas = new OffscreenCanvas(image.width, image.height);
              canvas.getContext('2d').drawImage(image, 0, 0);
              const file = await canvas.convertToBlob({type: 'image/webp', quality});
              const bytes = new Uint8Array(await file.arrayBuffer());
              return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
            }
            """;

    private static final double QUALITY = 0.82;

    private Picture() {}

    /// Takes one of all that the window shows.
    static void take(Page page, String name) throws IOException {
        page.mouse().move(0, 0);
        var png = Base64.getEncoder().encodeToString(page.screenshot());
        var other = page.context().newPage();
        try {
            var webp = (String) other.evaluate(COMPRESS, new Object[] {png, QUALITY});
            var bytes = Base64.getDecoder().decode(webp);
            assertThat(bytes.length)
                    .as("bytes of the picture %s", name)
                    .isBetween(5_000, MOST_BYTES);
            Files.createDirectories(FOLDER);
            Files.write(FOLDER.resolve(name + ".webp"), bytes);
        } finally {
            other.close();
        }
    }
}
