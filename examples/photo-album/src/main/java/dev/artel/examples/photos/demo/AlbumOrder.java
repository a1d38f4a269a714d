package dev.artel.examples.photos.demo;

import dev.artel.examples.photos.job.PictureFolder;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// The album that was ordered, and whether it was made.
record AlbumOrder(DemoOptions options, List<Path> pictures) {
    AlbumOrder {
        pictures = List.copyOf(pictures);
    }

    /// The folder's name, as a title.
    String title() {
        var name = options.photos().getFileName();
        var words = name == null ? "" : name.toString().replaceAll("[-_\\s]+", " ").strip();
        return words.isEmpty()
                ? "Photos"
                : words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /// Prints its outcome.
    ///
    /// @return whether every picture that is one is in the album, and all files are there
    boolean report(JsonObject job, JobWatch watch, Screen screen) {
        screen.line("");
        var result = job.object("result");
        if (result.isEmpty()) {
            screen.line("No album", whyNot(job));
            return false;
        }
        var leftOut = leftOut(result.get());
        screen.line("Album", options.out().resolve("index.html").toUri().toString());
        screen.line(
                "",
                result.get().number("photos").map(JsonNumber::asLong).orElse(0L)
                        + " photographs, and all of them on "
                        + options.out().resolve("contact-sheet.png").toUri());
        leftOut.forEach(
                left -> screen.line("Left out", text(left, "file") + " " + text(left, "reason")));
        screen.line("Done by", doneBy(watch));
        screen.line("Took", Screen.seconds(screen.sinceBegin()));
        var problems = problems(result.get(), leftOut);
        problems.forEach(problem -> screen.line("Incomplete", problem));
        return problems.isEmpty();
    }

    private static String whyNot(JsonObject job) {
        return "the job is "
                + text(job, "status")
                + job.string("error_message").map(why -> ": " + why).orElse("");
    }

    private static String doneBy(JobWatch watch) {
        return watch.done().entrySet().stream()
                .map(entry -> entry.getKey() + " (" + entry.getValue() + ")")
                .collect(Collectors.joining(", "));
    }

    private static List<JsonObject> leftOut(JsonObject result) {
        return result.array("left_out").orElse(JsonArray.EMPTY).stream()
                .map(JsonObject.class::cast)
                .toList();
    }

    private List<String> problems(JsonObject result, List<JsonObject> leftOut) {
        var problems = new ArrayList<String>();
        if (!result.get("complete").filter(JsonBoolean.TRUE::equals).isPresent()) {
            problems.add("a file was left out that may be a picture");
        }
        var absent = leftOut.stream().map(left -> text(left, "file")).collect(Collectors.toSet());
        files(absent).stream()
                .filter(file -> !Files.isRegularFile(file))
                .forEach(file -> problems.add("there is no " + file));
        return problems;
    }

    private List<Path> files(Set<String> absent) {
        var files = new ArrayList<Path>();
        files.add(options.out().resolve("index.html"));
        files.add(options.out().resolve("contact-sheet.png"));
        pictures.stream()
                .filter(picture -> !absent.contains(picture.getFileName().toString()))
                .forEach(picture -> files.add(PictureFolder.thumbnail(options.out(), picture)));
        return files;
    }

    private static String text(JsonObject object, String name) {
        return object.string(name).orElse("");
    }
}
