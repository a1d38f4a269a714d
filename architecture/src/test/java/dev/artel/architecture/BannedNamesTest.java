package dev.artel.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BannedNamesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.StoreImpl",
                "a.JobManager",
                "a.Managers$ManagerOfJobs",
                "a.JsonUtil",
                "a.Utils",
                "a.AbstractStore",
                "a.BaseStore",
                "a.CommonNames",
                "a.WorkerInfo",
                "a.WorkerData",
                "a.WorkerData$Builder"
            })
    void aNameThatSaysTheKindOfThing_isBanned(String name) {
        assertThat(name).matches(BannedNames.PATTERN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.SqliteEventStore",
                "a.JobData",
                "a.DataStore",
                "a.Implied",
                "a.Database",
                "a.Baseline",
                "a.Utility",
                "a.Information",
                "a.base.Store"
            })
    void aNameThatSaysTheThing_isNot(String name) {
        assertThat(name).doesNotMatch(BannedNames.PATTERN);
    }
}
