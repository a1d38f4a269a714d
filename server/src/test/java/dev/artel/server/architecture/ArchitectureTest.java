package dev.artel.server.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import dev.artel.architecture.LibraryRules;
import dev.artel.server.ArtelMaintenance;
import dev.artel.server.ArtelReplay;
import dev.artel.server.ArtelRun;
import dev.artel.server.ArtelServer;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArchitectureTest implements LibraryRules {
    private static final String API = "dev.artel.server.api";

    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.log",
                "dev.artel.engine..",
                "dev.artel.access..",
                "dev.artel.actions",
                "dev.artel.approval..",
                "dev.artel.backup..",
                "dev.artel.client..",
                "dev.artel.config..",
                "dev.artel.dashboard..",
                "dev.artel.files..",
                "dev.artel.maintenance..",
                "dev.artel.redis..",
                "dev.artel.schedule..",
                "dev.artel.telemetry",
                "dev.artel.tokens..",
                "dev.artel.webhook..",
                "dev.artel.blueprint..",
                "dev.artel.card",
                "dev.artel.card.plan",
                "dev.artel.store..",
                "dev.artel.protocol..",
                "dev.artel.worker",
                "dev.artel.worker.wire",
                "dev.artel.session..",
                "dev.artel.gateway..",
                "com.github.luben.zstd..",
                "io.javalin..",
                "kotlin..",
                "ch.qos.logback..",
                "org.eclipse.jetty..",
                "jakarta.servlet..",
                "io.micrometer..",
                "org.HdrHistogram..",
                "io.prometheus..",
                "org.slf4j..");
    }

    /// Three classes of this module are programs.
    @Test
    @Override
    public void nothingWritesToTheStandardStreams() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(
                        ArtelServer.class,
                        ArtelMaintenance.class,
                        ArtelReplay.class,
                        ArtelRun.class)
                .should(ACCESS_STANDARD_STREAMS)
                .check(classesOfTheModule());
    }

    /// The same for the environment.
    @Test
    @Override
    public void onlyConfigurationReadsTheEnvironment() {
        noClasses()
                .that()
                .doNotBelongToAnyOf(
                        ArtelServer.class,
                        ArtelMaintenance.class,
                        ArtelReplay.class,
                        ArtelRun.class)
                .should()
                .callMethod(System.class, "getenv")
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .check(classesOfTheModule());
    }

    /// A package of the API that another one needs does not need that one.
    @Test
    void thePackagesOfTheApi_areFreeOfCycles() {
        slices().matching(API + ".(*)..").should().beFreeOfCycles().check(classesOfTheModule());
    }

    /// The tables of routes know the resources, not the other way round.
    @Test
    void noResourceOfTheApi_knowsTheTablesOfRoutes() {
        noClasses()
                .that()
                .resideInAPackage(API + ".*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage(API)
                .check(classesOfTheModule());
    }

    /// A change of one resource stays within it.
    @Test
    void whatAllResourcesOfTheApiShare_knowsNoneOfThem() {
        noClasses()
                .that()
                .resideInAnyPackage(API + ".http..", API + ".access..")
                .should()
                .dependOnClassesThat(
                        resideInAPackage(API + "..")
                                .and(resideOutsideOfPackages(API + ".http..", API + ".access..")))
                .check(classesOfTheModule());
    }
}
