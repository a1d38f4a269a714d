package dev.artel.worker.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import dev.artel.architecture.LibraryRules;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json", "dev.artel.json.text", "org.eclipse.jetty..", "org.slf4j..");
    }

    @Test
    void theHub_knowsNoServer() {
        noClasses()
                .that()
                .resideInAPackage("dev.artel.worker.server.hub")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.eclipse.jetty..", "dev.artel.worker.server")
                .because("any WebSocket server can feed it")
                .check(classesOfTheModule());
    }
}
