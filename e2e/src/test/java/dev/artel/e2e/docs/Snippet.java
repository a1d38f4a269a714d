package dev.artel.e2e.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A block of code in a document.
///
/// @param document its path from the root of the repository
/// @param line of its opening fence, from 1
/// @param mark the text of the comment on the line before; empty if there is none
/// @param language empty for pictures and outputs
record Snippet(String document, int line, String mark, String language, String code) {
    static final Path ROOT =
            Path.of(System.getProperty("basedir", "."), "..").toAbsolutePath().normalize();

    private static final Pattern BLOCK =
            Pattern.compile(
                    "(?:<!-- ([^\\n]*) -->\\n)?^( *)```(\\w*)\\n(.*?)\\n *```",
                    Pattern.DOTALL | Pattern.MULTILINE);

    /// All blocks of `file`, in order.
    static List<Snippet> of(Path root, Path file) throws IOException {
        var text = Files.readString(file);
        var found = new ArrayList<Snippet>();
        var blocks = BLOCK.matcher(text);
        while (blocks.find()) {
            var mark = blocks.group(1);
            found.add(
                    new Snippet(
                            root.relativize(file).toString(),
                            (int) text.substring(0, blocks.start(2)).lines().count() + 1,
                            mark == null ? "" : mark,
                            blocks.group(3),
                            blocks.group(4).stripIndent()));
        }
        return found;
    }

    /// All blocks of the documents of the root, of `docs`, of each module and of each example; decisions are records of their time.
    static List<Snippet> all() throws IOException {
        var found = new ArrayList<Snippet>();
        try (var files = Files.walk(ROOT, 4)) {
            for (var file : files.filter(Snippet::isDocument).sorted().toList()) {
                found.addAll(of(ROOT, file));
            }
        }
        return found;
    }

    private static boolean isDocument(Path file) {
        return file.toString().endsWith(".md")
                && !ROOT.relativize(file).toString().matches("docs/adr/.*|.*target/.*|\\..*");
    }

    /// Whether it is sent with curl, by `RequestsTest`.
    boolean isRequest() {
        return language.equals("sh")
                && code.startsWith("curl ")
                && (mark.isEmpty() || !marked("scene").isEmpty() || !marked("refused").isEmpty());
    }

    /// `not run` of a mark such as `not run: REASON`; empty if it has no such form.
    String kindOfMark() {
        return mark.contains(": ") ? mark.substring(0, mark.indexOf(": ")) : "";
    }

    /// `REASON` of a mark such as `not run: REASON`; empty if it has no such form.
    String markedText() {
        return marked(kindOfMark());
    }

    /// The text of a mark such as `not run: REASON`; empty if the mark is another one.
    String marked(String kind) {
        return mark.startsWith(kind + ": ") ? mark.substring(kind.length() + 2) : "";
    }

    /// A name for messages and for tests.
    String place() {
        return document + ":" + line;
    }

    @Override
    public String toString() {
        return place() + " " + language;
    }
}
