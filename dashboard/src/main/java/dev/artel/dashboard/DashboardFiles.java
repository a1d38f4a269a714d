package dev.artel.dashboard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/// All files of the dashboard, in memory. `files.txt` lists them: nothing that it does not name is found, whatever a path looks like.
///
/// Libraries of others are as `VENDOR.md` lists them, but for one import; that for charts comes from a WebJar. Files name each other by relative paths, and the page names them below [#digest], so
/// that a browser may keep each file forever: another version of any file is another digest for all. Safe for use by many threads.
public final class DashboardFiles {
    private static final int DIGITS = 16;

    /// What `index.html` has in place of the digest.
    private static final String PLACE = "{digest}";

    /// Where the jar of the library for charts has it.
    private static final String CHART_RESOURCE =
            "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot.esm.js";

    private static final String CHART_LIBRARY = "lib/uplot.js";
    private static final String HOOKS = "lib/hooks.js";

    /// What the hooks of Preact import. Browsers resolve no bare names without an import map, which a strict content security policy forbids.
    private static final String BARE = "from\"preact\"";

    private static final Map<String, String> TYPES =
            Map.of(
                    "css", "text/css; charset=utf-8",
                    "html", "text/html; charset=utf-8",
                    "js", "text/javascript; charset=utf-8",
                    "svg", "image/svg+xml",
                    "woff2", "font/woff2");

    private final SequencedMap<String, DashboardFile> files = new LinkedHashMap<>();
    private final String digest;
    private final DashboardFile page;

    private DashboardFiles() {
        var names = new String(read("files.txt"), UTF_8).lines().toList();
        names.forEach(name -> add(name, read(name)));
        add(CHART_LIBRARY, resource(CHART_RESOURCE));
        digest = digestOfAll();
        var text = new String(read("index.html"), UTF_8).replace(PLACE, digest);
        page = file("index.html", text.getBytes(UTF_8));
    }

    /// Reads them from this program.
    ///
    /// @throws UncheckedIOException if one that is listed is missing: the program is damaged
    public static DashboardFiles load() {
        return new DashboardFiles();
    }

    /// The page itself, which loads everything else.
    public DashboardFile page() {
        return page;
    }

    /// Of all files together: the folder below which [#page] looks for them.
    public String digest() {
        return digest;
    }

    /// The file at a path such as `js/main.js`; empty if there is none.
    public Optional<DashboardFile> find(String path) {
        return Optional.ofNullable(files.get(path));
    }

    /// The paths of all files, without the page.
    public List<String> paths() {
        return List.copyOf(files.keySet());
    }

    private void add(String name, byte[] content) {
        files.put(name, file(name, content));
    }

    private static DashboardFile file(String name, byte[] content) {
        var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalArgumentException(
                    "files.txt lists "
                            + name
                            + ", which is of none of the types "
                            + TYPES.keySet());
        }
        return new DashboardFile(name, type, content, digest(content));
    }

    private static byte[] read(String name) {
        var content = resource("/dev/artel/dashboard/" + name);
        return name.equals(HOOKS)
                ? new String(content, UTF_8).replace(BARE, "from\"./preact.js\"").getBytes(UTF_8)
                : content;
    }

    private static byte[] resource(String path) {
        try (var in = DashboardFiles.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new UncheckedIOException(
                        new IOException(
                                "reading the dashboard: " + path + " is not in this program"));
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + path + " of this program", e);
        }
    }

    private String digestOfAll() {
        var all = sha256();
        files.values().forEach(file -> all.update((file.path() + file.digest()).getBytes(UTF_8)));
        return hex(all.digest());
    }

    private static String digest(byte[] content) {
        return hex(sha256().digest(content));
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(Arrays.copyOf(bytes, DIGITS / 2));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
