package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.core.DefinitionHolds;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Criterion;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Clients choose names whose hashes are the same: what maps have for keys has an order beside its hash, so that a map finds one of
/// them without a look at all.
final class CollidingNamesTest {
    private static final List<String> NAMES = names();

    private static List<String> names() {
        var names = List.of("");
        for (var i = 0; i < 4; i++) {
            var more = new ArrayList<String>();
            names.forEach(name -> more.addAll(List.of(name + "Aa", name + "BB")));
            names = more;
        }
        return names;
    }

    private static DemandClass.Key key(String type, String client, Demand demand) {
        return new DemandClass.Key(type, demand, "b", client, List.of(), false, false);
    }

    private static <K extends Comparable<K>> void assertOrdered(Function<String, K> key) {
        for (var one : NAMES) {
            for (var other : NAMES) {
                assertThat(key.apply(one).hashCode()).isEqualTo(key.apply(other).hashCode());
                assertThat(Integer.signum(key.apply(one).compareTo(key.apply(other))))
                        .as(one + " and " + other)
                        .isEqualTo(Integer.signum(one.compareTo(other)));
            }
        }
    }

    @Test
    void demandClassesOfOneHash_haveAnOrder() {
        assertOrdered(name -> key(name, "alice", Demand.NONE));
        assertOrdered(name -> key("paint", name, Demand.NONE));
        assertOrdered(name -> key("paint", "alice", Demand.NONE.model(name)));
        // A map looks for the order of a class that states it itself.
        assertThat(DemandClass.Key.class.getInterfaces()).contains(Comparable.class);
    }

    @Test
    void deliveriesOfOneHash_haveAnOrder() {
        assertOrdered(name -> new CameBack.Delivery(new JobId(name + "-"), 7, 1));
        assertThat(CameBack.Delivery.class.getInterfaces()).contains(Comparable.class);
    }

    @Test
    void criteriaOfOneHash_haveAnOrder() {
        assertOrdered(name -> new CriterionKey(new Criterion.HasModel(name)));
        assertOrdered(name -> new CriterionKey(new Criterion.IsNotWorker(new WorkerId(name))));
        assertThat(CriterionKey.class.getInterfaces()).contains(Comparable.class);
    }

    @Test
    void definitionsOfOneHash_haveAnOrder() {
        var any = Optional.<String>empty();
        assertOrdered(name -> new DefinitionHolds.Wanted(name, any, any, any));
        assertOrdered(name -> new DefinitionHolds.Wanted("b", Optional.of(name), any, any));
        assertOrdered(name -> new DefinitionHolds.Wanted("b", any, Optional.of(name), any));
        assertOrdered(name -> new DefinitionHolds.Wanted("b", any, any, Optional.of(name)));
        assertThat(DefinitionHolds.Wanted.class.getInterfaces()).contains(Comparable.class);
    }

    @Test
    void limitsOfOneHash_haveAnOrder() {
        assertOrdered(SharedLimit::of);
        assertOrdered(name -> SharedLimit.concurrent(name, 3));
        var rate = Rate.of(3, Duration.ofSeconds(1));
        var ascending =
                List.of(
                        SharedLimit.of("a"),
                        SharedLimit.rate("a", rate),
                        SharedLimit.rate("a", rate.withBurst(4)),
                        SharedLimit.rate("a", Rate.of(3, Duration.ofSeconds(2))),
                        SharedLimit.rate("a", Rate.of(4, Duration.ofMillis(1))),
                        SharedLimit.concurrent("a", 1),
                        new SharedLimit("a", OptionalInt.of(1), Optional.of(rate)),
                        SharedLimit.concurrent("a", 2),
                        SharedLimit.of("b"));
        for (var i = 0; i < ascending.size(); i++) {
            for (var j = 0; j < ascending.size(); j++) {
                assertThat(Integer.signum(ascending.get(i).compareTo(ascending.get(j))))
                        .as(ascending.get(i) + " and " + ascending.get(j))
                        .isEqualTo(Integer.compare(i, j));
            }
        }
    }
}
