package dev.artel.e2e.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/// Compiles blocks of Java that are less than a file: they may be members of a class, statements, an expression, or what
/// follows `Blueprint.named(...)`. The names that they use and do not declare are those of `prelude.java`, or of
/// `prelude-typed.java` where a block is of typed states or of a function. For one thread at a time.
final class JavaSnippets {
    private static final Pattern DECLARATION =
            Pattern.compile(
                    "(?:@\\w+|static |(?:final )?(?:record|class|interface|enum) ).*",
                    Pattern.DOTALL);

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /// One for all blocks: to open the jars of the class path takes longer than to compile a block.
    private static final StandardJavaFileManager FILES =
            COMPILER.getStandardFileManager(null, null, UTF_8);

    private final List<String> preludes;
    private final Path output;

    JavaSnippets(Path output) {
        this.output = output;
        preludes = List.of(read("prelude.java"), read("prelude-typed.java"));
    }

    private static String read(String prelude) {
        try (var stream = JavaSnippets.class.getResourceAsStream("/docs/" + prelude)) {
            return new String(stream.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot read docs/" + prelude + " of the test resources", e);
        }
    }

    /// The errors of the compiler for `code`; empty if there are none.
    String problemsOf(String code) {
        var problems = new ArrayList<String>();
        for (var prelude : preludes) {
            for (var source : readings(code)) {
                var output = compile(prelude.replace("// SNIPPET", source));
                if (output.isEmpty()) {
                    return "";
                }
                problems.add(output);
            }
        }
        return String.join("\n", problems);
    }

    /// What `code` may be, as members of a class.
    private static List<String> readings(String code) {
        if (code.startsWith(".")) {
            return List.of("Object it() {\nreturn Blueprint.named(\"it\")\n" + code + "\n;\n}");
        }
        var readings = new ArrayList<String>();
        if (DECLARATION.matcher(code).matches()) {
            readings.add(code.startsWith("@") ? code + "\nstatic class Marked {}" : code);
        }
        readings.add(method(code));
        readings.add(method(code + "\nreturn null;"));
        readings.add(method("return " + code + ";"));
        return readings;
    }

    private static String method(String statements) {
        return "Object it() throws Exception {\n" + statements + "\n}";
    }

    private String compile(String source) {
        var output = new StringWriter();
        var file =
                new SimpleJavaFileObject(
                        URI.create("string:///Snippet.java"), SimpleJavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignored) {
                        return source;
                    }
                };
        var compiled =
                COMPILER.getTask(
                                output,
                                FILES,
                                null,
                                List.of(
                                        "-proc:none",
                                        "-nowarn",
                                        "-XDshould-stop.ifNoError=FLOW",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "-d",
                                        output.toString()),
                                null,
                                List.of(file))
                        .call();
        return compiled ? "" : output.toString();
    }
}
