package dev.artel.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

import org.junit.jupiter.api.Test;

/// What every module keeps that is not a program.
public interface LibraryRules extends ModuleRules {
    /// Only a program owns its standard streams.
    @Test
    default void nothingWritesToTheStandardStreams() {
        NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS.check(classesOfTheModule());
    }

    /// Settings arrive as records.
    @Test
    default void onlyConfigurationReadsTheEnvironment() {
        noClasses()
                .that()
                .resideOutsideOfPackage("..config..")
                .should()
                .callMethod(System.class, "getenv")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .because(
                        "one loader reads the settings and reports all that is wrong with them at once")
                .allowEmptyShould(true)
                .check(classesOfTheModule());
    }
}
