package dev.artel.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

final class StrangersSizesTest {
    @Test
    void numbersOfAnySize_areFound_alsoByReference() {
        assertThat(found(StrangersSizes::readsANumberOfAnySize, Unbounded.class)).isEqualTo(4);
        assertThat(found(StrangersSizes::writesANumberOfAnySize, Unbounded.class)).isEqualTo(2);
    }

    @Test
    void listsThatAreLookedThroughForEachValue_areFound() {
        assertThat(found(StrangersSizes::looksThroughAListForEach, Unbounded.class)).isEqualTo(3);
    }

    @Test
    void whatHasABound_isLeftAlone() {
        assertThat(found(StrangersSizes::readsANumberOfAnySize, Bounded.class)).isZero();
        assertThat(found(StrangersSizes::writesANumberOfAnySize, Bounded.class)).isZero();
        assertThat(found(StrangersSizes::looksThroughAListForEach, Bounded.class)).isZero();
    }

    private static int found(Predicate<JavaAccess<?>> kind, Class<?> type) {
        return noClasses()
                .should()
                .accessTargetWhere(describe("is of the kind", kind))
                .evaluate(new ClassFileImporter().importClasses(type))
                .getFailureReport()
                .getDetails()
                .size();
    }

    @SuppressWarnings("unused")
    private static final class Unbounded {
        Object number = new BigDecimal("1");
        Function<String, Object> later = BigDecimal::new;
        Object whole = new BigInteger("1");
        Object hex = new BigInteger("1", 16);
        String plain = BigDecimal.ONE.toPlainString();
        Function<BigDecimal, String> plainLater = BigDecimal::toPlainString;
        boolean all = List.of(1).containsAll(List.of(1));
        boolean none = new ArrayList<>(List.of(1)).removeAll(List.of(1));
        Function<Collection<?>, Object> kept = new ArrayList<>(List.of(1))::retainAll;
    }

    @SuppressWarnings("unused")
    private static final class Bounded {
        Object number = BigDecimal.valueOf(1.5);
        Object whole = new BigInteger(1, new byte[] {1});
        String text = BigDecimal.ONE.toString();
        boolean all = new LinkedHashSet<>(List.of(1)).containsAll(List.of(1));
    }
}
