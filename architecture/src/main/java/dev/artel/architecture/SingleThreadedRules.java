package dev.artel.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaModifier;
import org.junit.jupiter.api.Test;

/// What pure code keeps that one thread at a time runs to completion: nothing to lock, nothing to wait for.
public interface SingleThreadedRules extends PurityRules {
    /// The mailbox around such code is its only lock.
    @Test
    default void singleThreadedCodeNeitherLocksNorWaits() {
        checkPure(
                pure().should().dependOnClassesThat().resideInAnyPackage("java.util.concurrent.."),
                "its mailbox sees to it that one thread at a time is here");
        checkPure(
                noMethods()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideInAnyPackage(purePackages())
                        .should()
                        .haveModifier(JavaModifier.SYNCHRONIZED)
                        .allowEmptyShould(true),
                "its mailbox sees to it that one thread at a time is here");
    }
}
