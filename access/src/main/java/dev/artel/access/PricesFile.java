package dev.artel.access;

import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads `prices.toml`: a table for each task type, with what an attempt costs at most.
public final class PricesFile {
    /// Its name in the data folder.
    public static final String NAME = "prices.toml";

    private static final List<String> KEYS = List.of("cost_usd", "tokens", "calls");
    private static final long LARGEST = 1_000_000_000_000L;

    private PricesFile() {}

    /// What reading it came to.
    ///
    /// @param prices by task type
    /// @param problems for which it cannot be used
    public record Reading(
            Map<String, Spending> prices, List<String> problems, List<String> warnings) {}

    /// The prices of the file in `folder`; none if there is no such file.
    public static Reading read(Optional<Path> folder) {
        var file = folder.map(it -> it.resolve(NAME)).filter(Files::exists);
        if (file.isEmpty()) {
            return new Reading(Map.of(), List.of(), List.of());
        }
        var prices = new LinkedHashMap<String, Spending>();
        var tables = TomlTables.read(file.get(), table -> prices.put(table.name(), price(table)));
        return new Reading(
                Map.copyOf(prices), List.copyOf(tables.problems()), List.copyOf(tables.warnings()));
    }

    private static Spending price(TomlTables.Table table) {
        var money =
                table.text("cost_usd")
                        .map(usd -> {
                            try {
                                return Spending.nano(usd);
                            } catch (IllegalArgumentException wrong) {
                                table.problem(".cost_usd", ": " + wrong.getMessage());
                                return 0L;
                            }
                        });
        var price =
                Spending.NONE
                        .with(BudgetLimit.MONEY, money.orElse(0L))
                        .with(BudgetLimit.TOKENS, table.count("tokens", 0, LARGEST).orElse(0L))
                        .with(BudgetLimit.CALLS, table.count("calls", 0, LARGEST).orElse(0L));
        table.warnOfOthersThan(KEYS);
        return price;
    }
}
