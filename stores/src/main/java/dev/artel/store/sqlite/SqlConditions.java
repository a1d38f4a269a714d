package dev.artel.store.sqlite;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/// Conditions of a statement, with their values.
///
/// @param texts each with a `?` for each of its values
record SqlConditions(List<String> texts, List<Object> values) {
    static final SqlConditions NONE = new SqlConditions(List.of(), List.of());

    /// Stands in a condition for the column that has a job's place.
    private static final String PLACE = "#place";

    SqlConditions and(String condition, Object... more) {
        var allTexts = new ArrayList<>(texts);
        allTexts.add(condition);
        var allValues = new ArrayList<>(values);
        allValues.addAll(List.of(more));
        return new SqlConditions(List.copyOf(allTexts), List.copyOf(allValues));
    }

    SqlConditions and(SqlConditions others) {
        var all = this;
        var allTexts = new ArrayList<>(all.texts);
        allTexts.addAll(others.texts);
        var allValues = new ArrayList<>(all.values);
        allValues.addAll(others.values);
        return new SqlConditions(List.copyOf(allTexts), List.copyOf(allValues));
    }

    /// A condition on the place of a job.
    SqlConditions andPlace(String comparison, long place) {
        return and(PLACE + ' ' + comparison + " ?", place);
    }

    /// These, where the column `key` has the place of a job.
    SqlConditions named(String key) {
        return new SqlConditions(
                texts.stream().map(text -> text.replace(PLACE, key)).toList(), values);
    }

    /// Begins with a space, unless there are none.
    String where() {
        return texts.isEmpty() ? "" : " WHERE " + String.join(" AND ", texts);
    }

    /// Sets the values from the parameter `first` on.
    ///
    /// @return the number of the next parameter
    int set(PreparedStatement statement, int first) throws SQLException {
        var index = first;
        for (var value : values) {
            statement.setObject(index++, value);
        }
        return index;
    }
}
