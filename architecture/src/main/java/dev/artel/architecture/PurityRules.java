package dev.artel.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction;
import java.io.Serializable;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/// What code must keep whose answers are replayed: the same input gives the same output, in every process.
public interface PurityRules extends LibraryRules {
    /// The packages that are pure, as ArchUnit patterns.
    String[] purePackages();

    /// Time arrives with the input.
    @Test
    default void pureCodeNeverAsksForTheTime() {
        checkPure(
                pure().should()
                        .accessTargetWhere(describe("reads a clock", Impurities::readsAClock))
                        .orShould()
                        .dependOnClassesThat()
                        .areAssignableTo(Clock.class)
                        .orShould()
                        .dependOnClassesThat()
                        .areAssignableTo(InstantSource.class),
                "time arrives in the command, so that replay gives the same answer");
    }

    /// Ids and randomness arrive with the input.
    @Test
    default void pureCodeNeverDrawsAnIdOrARandomNumber() {
        checkPure(
                pure().should()
                        .accessTargetWhere(describe("draws at random", Impurities::drawsAtRandom))
                        .orShould()
                        .dependOnClassesThat()
                        .belongToAnyOf(Random.class, SecureRandom.class, ThreadLocalRandom.class),
                "ids and randomness arrive in the command, so that replay gives the same answer");
    }

    /// State iterates in a defined order.
    @Test
    default void pureCodeMakesNoCollectionWithoutAnOrder() {
        checkPure(
                pure().should()
                        .accessTargetWhere(
                                describe("makes one", Impurities::makesAnUnorderedCollection)),
                "the order of such a collection may differ between processes");
    }

    /// No thread is held, started or put to sleep; nothing is read, written or logged.
    @Test
    default void pureCodeHasNoThread_noLog_andNoInputOrOutput() {
        checkPure(
                pure().should()
                        .dependOnClassesThat()
                        .belongToAnyOf(Thread.class, ThreadLocal.class)
                        .orShould()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "org.slf4j..",
                                "java.net..",
                                "java.nio.file..",
                                "java.nio.channels..")
                        .orShould()
                        .dependOnClassesThat(
                                describe("do input or output", PurityRules::doesInputOrOutput)),
                "pure code decides; the shell acts");
    }

    /// The classes that this set of rules is about, as the start of a rule that forbids.
    default GivenClassesConjunction pure() {
        return noClasses().that().resideInAnyPackage(purePackages());
    }

    /// Checks a rule over the pure classes.
    default void checkPure(ArchRule rule, String reason) {
        rule.because(reason).check(classesOfTheModule());
    }

    private static boolean doesInputOrOutput(JavaClass type) {
        return type.getPackageName().equals("java.io") && !type.isEquivalentTo(Serializable.class);
    }
}
