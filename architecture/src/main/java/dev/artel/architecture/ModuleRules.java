package dev.artel.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What every module must keep. A module implements this in its `architecture` test package.
public interface ModuleRules {
    /// Packages beside the module's own and the JDK's that it may use, as ArchUnit patterns: `a.b` is that package
    /// alone, `a.b..` includes those below.
    List<String> allowedPackages();

    /// The classes under test.
    default JavaClasses classesOfTheModule() {
        return ModuleClasses.ofThisModule();
    }

    /// Any other edge is refused.
    @Test
    default void theModuleUsesOnlyThePackagesItMay() {
        var own = classesOfTheModule();
        var allowed = new ArrayList<>(List.of("java..", "javax..", "org.jspecify.annotations"));
        allowed.addAll(allowedPackages());
        classes()
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(allowed.toArray(String[]::new))
                                .or(
                                        describe(
                                                "are of this module",
                                                type ->
                                                        own.contain(
                                                                type.getBaseComponentType()
                                                                        .getName())))
                                .or(
                                        describe(
                                                "are primitive",
                                                type -> type.getBaseComponentType().isPrimitive())))
                .because("the edges between modules are listed in docs/architecture.md")
                .check(own);
    }

    /// Words that name what kind of thing a class is instead of which.
    @Test
    default void namesStateTheThingOrTheAct() {
        noClasses()
                .should()
                .haveNameMatching(BannedNames.PATTERN.pattern())
                .because("a name states the thing or the act")
                .check(classesOfTheModule());
    }

    /// SLF4J is the one logging interface.
    @Test
    default void nothingLogsThroughTheJdk() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.util.logging..", "java.lang.System$Logger")
                .because("logs go through SLF4J")
                .check(classesOfTheModule());
    }

    /// Classes that read and write numbers of any size, with a bound of their own.
    default List<String> classesWithNumbersOfAnySize() {
        return List.of();
    }

    /// What a sender chooses the cost of stands in few places, which bound it.
    @Test
    default void numbersAndListsOfStrangers_haveBounds() {
        noClasses()
                .that(
                        describe(
                                "have no bounds of their own",
                                type -> !classesWithNumbersOfAnySize().contains(type.getName())))
                .should()
                .accessTargetWhere(
                        describe(
                                "reads a number of any size",
                                StrangersSizes::readsANumberOfAnySize))
                .orShould()
                .accessTargetWhere(
                        describe(
                                "writes a number without its power",
                                StrangersSizes::writesANumberOfAnySize))
                .orShould()
                .accessTargetWhere(
                        describe(
                                "looks through a list for each value of another",
                                StrangersSizes::looksThroughAListForEach))
                .because(
                        "the number 1e-640000000 is short, and takes minutes: ForeignDecimal reads and writes numbers that Artel"
                                + " computes with, and sets are looked things up in")
                .check(classesOfTheModule());
    }

    /// Classes that match by expressions which are no constants of the program: each states in its own documentation who writes them and
    /// what bounds their cost.
    default List<String> classesWithPatternsOfOthers() {
        return List.of();
    }

    /// Who chooses a regular expression chooses how long it takes, and who chooses the text how often a group of it is repeated.
    @Test
    default void regularExpressionsAreConstants() {
        var others = classesWithPatternsOfOthers();
        var found =
                ForeignPatterns.in(ModuleClasses.FOLDER).stream()
                        .filter(call ->
                                others.stream().noneMatch(type -> call.startsWith(type + ".")))
                        .toList();
        if (!found.isEmpty()) {
            throw new AssertionError(
                    "what is taken for a regular expression or a glob is a constant, since `(a+)+$` takes hours: compare"
                            + " texts instead, or name the class in classesWithPatternsOfOthers with its bound; and it repeats no group"
                            + " without end, since `a(,a)*` takes a part of the stack for each round: match the parts one by one, or write"
                            + " `a(,a)*+`:\n"
                            + String.join("\n", found));
        }
    }

    /// A caller can distinguish all the cases of a failure. What ends a thread, and is caught by nobody on its way, is an [Error].
    @Test
    default void exceptionsAreUnchecked_andOfClosedFamilies() {
        noClasses()
                .that()
                .areAssignableTo(Throwable.class)
                .should()
                .beAssignableTo(describe("checked", ModuleRules::isChecked))
                .orShould()
                .beAssignableTo(describe("neither final nor sealed", ModuleRules::isOpen))
                .because("a caller handles every case of a failure, and no more")
                .allowEmptyShould(true)
                .check(classesOfTheModule());
    }

    private static boolean isChecked(JavaClass type) {
        return type.getPackageName().startsWith("dev.artel")
                && !type.isAssignableTo(RuntimeException.class)
                && !(type.isAssignableTo(Error.class)
                        && !type.getModifiers().contains(JavaModifier.PUBLIC));
    }

    private static boolean isOpen(JavaClass type) {
        return type.getPackageName().startsWith("dev.artel")
                && !type.getModifiers().contains(JavaModifier.FINAL)
                && !type.reflect().isSealed();
    }
}
