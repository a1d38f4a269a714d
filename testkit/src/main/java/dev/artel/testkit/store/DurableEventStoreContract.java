package dev.artel.testkit.store;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.streamOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.kernel.store.AppendResult.VersionConflict;
import dev.artel.kernel.store.JobQuery;
import org.junit.jupiter.api.Test;

/// What a store does that outlives its process.
public interface DurableEventStoreContract extends EventStoreContract {
    /// Closes the store and opens it again; [#store] is the new one from then on.
    void reopen();

    @Test
    default void whatWasAppended_survivesReopening() {
        append(PLAIN.submit("a"), PLAIN.submit("b"));
        append(PLAIN.step("a", 2), PLAIN.end("b", 2));
        var before = store().read(streamOf("a"), 0);

        reopen();

        assertThat(store().read(streamOf("a"), 0)).isEqualTo(before);
        assertThat(store().find(new JobId("b"))).contains(PLAIN.end("b", 2).row());
        assertThat(idsOf(JobQuery.newest(10))).containsExactly("b", "a");
    }

    @Test
    default void versionsAndPositions_goOnAfterReopening() {
        var first = (Appended) append(PLAIN.submit("a")).getFirst();

        reopen();

        assertThat(append(PLAIN.submit("a"))).containsExactly(new VersionConflict(2));
        assertThat(append(PLAIN.step("a", 2)))
                .singleElement()
                .isInstanceOfSatisfying(
                        Appended.class,
                        later ->
                                assertThat(later.position())
                                        .isGreaterThanOrEqualTo(first.position() + 2));
        assertThat(eventsOf("a")).hasSize(3);
    }
}
