package dev.artel.examples.photos;

import dev.artel.examples.photos.demo.CannotRun;
import dev.artel.examples.photos.demo.Demo;
import dev.artel.examples.photos.demo.DemoOptions;
import dev.artel.examples.photos.demo.Screen;
import java.util.List;

/// The demo as a program: makes an album of a folder of photographs, and kills a worker on the way.
public final class PhotoAlbumDemo {
    private static final int INCOMPLETE = 1;
    private static final int CANNOT_RUN = 2;

    private PhotoAlbumDemo() {}

    /// Exits with 0 if the album is complete, with 1 if it is not, with 2 if a person has to change something first.
    public static void main(String[] arguments) throws InterruptedException {
        System.setProperty("java.awt.headless", "true");
        if (List.of(arguments).contains("--help")) {
            System.out.print(DemoOptions.USAGE);
            return;
        }
        try {
            var isComplete = Demo.run(DemoOptions.of(List.of(arguments)), new Screen(System.out));
            System.exit(isComplete ? 0 : INCOMPLETE);
        } catch (CannotRun wrong) {
            System.err.println("artel demo: " + wrong.getMessage());
            System.exit(CANNOT_RUN);
        }
    }
}
