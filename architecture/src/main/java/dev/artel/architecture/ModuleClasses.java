package dev.artel.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;

/// The compiled main classes of the module under test.
public final class ModuleClasses {
    /// Where they are.
    static final Path FOLDER = Path.of(System.getProperty("basedir", "."), "target/classes");

    /// Read once per JVM: the tests of one module share one.
    private static final JavaClasses CLASSES = read();

    private ModuleClasses() {}

    /// The classes in `target/classes` of the module whose tests run; at least one, since a rule over nothing holds.
    public static JavaClasses ofThisModule() {
        return CLASSES;
    }

    private static JavaClasses read() {
        var classes = new ClassFileImporter().importPath(FOLDER);
        if (classes.isEmpty()) {
            throw new IllegalStateException(
                    "no class in " + FOLDER.toAbsolutePath() + "; compile the module first");
        }
        return classes;
    }
}
