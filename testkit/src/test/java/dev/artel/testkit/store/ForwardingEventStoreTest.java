package dev.artel.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.store.EventStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ForwardingEventStoreTest {
    /// Trap: a new method with a default is answered by the default, and not by the other store.
    @Test
    void everyMethodOfAStore_isForwarded() {
        assertThat(signatures(ForwardingEventStore.class))
                .containsAll(signatures(EventStore.class));
    }

    private static List<String> signatures(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !method.isSynthetic())
                .map(ForwardingEventStoreTest::signature)
                .toList();
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }
}
