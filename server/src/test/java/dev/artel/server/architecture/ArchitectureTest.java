package dev.artel.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;

import dev.artel.architecture.LibraryRules;
import dev.artel.server.ArtelMaintenance;
import dev.artel.server.ArtelReplay;
import dev.artel.server.ArtelServer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.engine..",
                "dev.artel.access..",
                "dev.artel.approval..",
                "dev.artel.backup..",
                "dev.artel.config..",
                "dev.artel.files..",
                "dev.artel.maintenance..",
                "dev.artel.tokens..",
                "dev.artel.webhook..",
                "dev.artel.blueprint..",
                "dev.artel.store..",
                "dev.artel.protocol..",
                "dev.artel.session..",
                "dev.artel.gateway..",
                "com.github.luben.zstd..",
                "io.javalin..",
                "kotlin..",
                "ch.qos.logback..",
                "org.eclipse.jetty..",
                "jakarta.servlet..",
                "io.micrometer..",
                "io.prometheus..",
                "org.slf4j..");
    }

    /// Three classes of this module are programs.
    @Test
    @Override
    public void nothingWritesToTheStandardStreams() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(ArtelServer.class, ArtelMaintenance.class, ArtelReplay.class)
                .should(ACCESS_STANDARD_STREAMS)
                .check(classesOfTheModule());
    }

    /// The same for the environment.
    @Test
    @Override
    public void onlyConfigurationReadsTheEnvironment() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(ArtelServer.class, ArtelMaintenance.class, ArtelReplay.class)
                .should()
                .callMethod(System.class, "getenv")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .check(classesOfTheModule());
    }
}
