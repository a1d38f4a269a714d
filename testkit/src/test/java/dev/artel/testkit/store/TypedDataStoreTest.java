package dev.artel.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.artel.blueprint.DataStore;
import dev.artel.blueprint.KernelBridge;
import dev.artel.blueprint.ValueType;
import org.junit.jupiter.api.Test;

/// Stores of blueprints with values of one type.
final class TypedDataStoreTest {
    record Seats(int left) {}

    private final dev.artel.kernel.store.JsonDataStore json =
            dev.artel.kernel.store.JsonDataStore.of(new InMemoryKeyValueStore(), "trip/seats");
    private final DataStore<Seats> seats = KernelBridge.dataStore(json, ValueType.of(Seats.class));

    @Test
    void values_areWrittenAndReadAsWhatTheyAre() {
        assertThat(seats.get("SK1")).isEmpty();
        var version = seats.put("SK1", new Seats(3));
        assertThat(seats.putIf("SK1", 0, new Seats(9))).isEmpty();
        assertThat(seats.putIf("SK1", version, new Seats(2))).isPresent();

        assertThat(seats.update("SK1", new Seats(0), it -> new Seats(it.left() - 1)))
                .isEqualTo(new Seats(1));
        assertThat(seats.update("SK2", new Seats(10), it -> new Seats(it.left() - 1)))
                .isEqualTo(new Seats(9));
        assertThat(seats.list("SK", "", 10))
                .extracting(DataStore.Entry::key, DataStore.Entry::value)
                .containsExactly(tuple("SK1", new Seats(1)), tuple("SK2", new Seats(9)));
        assertThat(seats.remove("SK1")).isTrue();
        assertThat(seats.get("SK1")).isEmpty();
    }

    @Test
    void aValueOfAnotherType_isAnErrorThatNamesStoreAndKey() {
        KernelBridge.dataStore(json, ValueType.of(String.class)).put("SK1", "none");

        assertThatIllegalStateException()
                .isThrownBy(() -> seats.get("SK1"))
                .withMessageContainingAll("data store trip/seats", "values of Seats", "SK1");
    }
}
