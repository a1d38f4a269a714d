package dev.artel.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;

/// The compiled main classes of the module under test.
public final class ModuleClasses {
    private ModuleClasses() {}

    /// Reads `target/classes` of the module whose tests run.
    ///
    /// @throws IllegalStateException if there is no class: a rule over nothing would hold
    public static JavaClasses ofThisModule() {
        var folder = Path.of(System.getProperty("basedir", ".")).resolve("target/classes");
        var classes = new ClassFileImporter().importPath(folder);
        if (classes.isEmpty()) {
            throw new IllegalStateException(
                    "no class in " + folder.toAbsolutePath() + "; compile the module first");
        }
        return classes;
    }
}
