package dev.artel.kernel.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.artel.architecture.PurityRules;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class ArchitectureTest implements PurityRules {
    private static final String RULES = "dev.artel.kernel.rules";

    private static final Set<String> DRAFTS = Set.of("Draft", "MutableJob", "JobFold");

    @Override
    public List<String> allowedPackages() {
        return List.of("dev.artel.json", "dev.artel.json.bind");
    }

    @Override
    public String[] purePackages() {
        return new String[] {"dev.artel.kernel.."};
    }

    @Test
    void aDecider_isPassedToNoMethod() {
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(RULES)
                .should(
                        have(
                                "a decider as a parameter",
                                method -> takes(method, ArchitectureTest::isDecider)))
                .because("a decider finds those that it needs in Deciders")
                .check(classesOfTheModule());
    }

    @Test
    void noStaticMethod_writesToADraft() {
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(RULES)
                .should(
                        have(
                                "a draft as a parameter, and be static",
                                method ->
                                        method.getModifiers().contains(JavaModifier.STATIC)
                                                && takes(method, ArchitectureTest::isDraft)))
                .because("deciders and folds hold the draft to which they write")
                .check(classesOfTheModule());
    }

    @Test
    void onlyTheDeciderOfTheTable_isPublic() {
        classes()
                .that(describe("are deciders", ArchitectureTest::isDecider))
                .and()
                .doNotHaveSimpleName("JobDecider")
                .should()
                .bePackagePrivate()
                .because("a command comes in by its row of the table")
                .check(classesOfTheModule());
    }

    private static ArchCondition<JavaMethod> have(String what, Predicate<JavaMethod> has) {
        return new ArchCondition<>("have " + what) {
            @Override
            public void check(JavaMethod method, ConditionEvents events) {
                events.add(
                        new SimpleConditionEvent(
                                method, has.test(method), method.getFullName() + " has " + what));
            }
        };
    }

    private static boolean takes(JavaMethod method, Predicate<JavaClass> kind) {
        return method.getRawParameterTypes().stream().anyMatch(kind);
    }

    private static boolean isDecider(JavaClass type) {
        return type.getPackageName().equals(RULES)
                && (type.getSimpleName().endsWith("Decider")
                        || type.getSimpleName().equals("Deciders"));
    }

    private static boolean isDraft(JavaClass type) {
        return type.getPackageName().equals(RULES) && DRAFTS.contains(type.getSimpleName());
    }
}
