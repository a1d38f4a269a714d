package dev.artel.schedule.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import dev.artel.architecture.LibraryRules;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArchitectureTest implements LibraryRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json..",
                "dev.artel.kernel..",
                "dev.artel.config..",
                "com.cronutils..",
                "org.slf4j..");
    }

    @Test
    void theRulesNeverAskForTheTime_andHaveNoThreads() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "..schedule.rules..", "..schedule.timing..", "..schedule.text..")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Clock.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(InstantSource.class)
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .orShould()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.concurrent..", "org.slf4j..")
                .because(
                        "time arrives as a parameter, so that a schedule is the same in virtual time")
                .check(classesOfTheModule());
    }

    @Test
    void theTimesOfACron_knowNothingOfJobs() {
        noClasses()
                .that()
                .resideInAPackage("..schedule.timing..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..schedule.rules..", "..schedule.text..", "dev.artel.kernel..")
                .check(classesOfTheModule());
    }
}
