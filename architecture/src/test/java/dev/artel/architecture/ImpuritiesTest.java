package dev.artel.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ImpuritiesTest {
    @Test
    void whatReadsAClock_isFound_alsoByReference() {
        assertThat(found(Impurities::readsAClock, Clocks.class)).isEqualTo(4);
    }

    @Test
    void whatDrawsAtRandom_isFound_alsoByReference() {
        assertThat(found(Impurities::drawsAtRandom, Draws.class)).isEqualTo(2);
    }

    @Test
    void whatMakesAnUnorderedCollection_isFound_alsoByReference() {
        assertThat(found(Impurities::makesAnUnorderedCollection, Unordered.class)).isEqualTo(8);
    }

    @Test
    void orderedCollections_areLeftAlone() {
        assertThat(found(Impurities::makesAnUnorderedCollection, Ordered.class)).isZero();
    }

    private static int found(Predicate<JavaAccess<?>> impurity, Class<?> type) {
        return noClasses()
                .should()
                .accessTargetWhere(describe("is impure", impurity))
                .evaluate(new ClassFileImporter().importClasses(type))
                .getFailureReport()
                .getDetails()
                .size();
    }

    @SuppressWarnings("unused")
    private static final class Clocks {
        Object instant = Instant.now();
        Object date = LocalDate.now(java.time.ZoneOffset.UTC);
        Object nanos = System.nanoTime();
        Supplier<Instant> later = Instant::now;
    }

    @SuppressWarnings("unused")
    private static final class Draws {
        Object id = UUID.randomUUID();
        Supplier<Double> number = Math::random;
    }

    @SuppressWarnings("unused")
    private static final class Unordered {
        Object map = Map.of("a", 1);
        Object copy = Set.copyOf(List.of(1));
        Object hashMap = new HashMap<String, String>();
        Object sized = HashSet.newHashSet(3);
        Supplier<Collection<String>> later = HashSet::new;
        Function<Collection<Integer>, Set<Integer>> copying = Set::copyOf;
        Object set = List.of(1).stream().collect(Collectors.toSet());
        Object groups = List.of(1).stream().collect(Collectors.groupingBy(x -> x));
    }

    @SuppressWarnings("unused")
    private static final class Ordered {
        Object map = new LinkedHashMap<String, String>();
        Set<Integer> set = new LinkedHashSet<>();
        Object list = new ArrayList<>(List.of(1));
        Object added = List.of(1, 1).stream().filter(set::add).toList();
        Object groups =
                List.of(1).stream()
                        .collect(
                                Collectors.groupingBy(
                                        x -> x, LinkedHashMap::new, Collectors.toList()));
    }
}
