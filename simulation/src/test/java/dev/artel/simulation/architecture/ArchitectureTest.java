package dev.artel.simulation.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import dev.artel.architecture.ModuleRules;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArchitectureTest implements ModuleRules {
    @Override
    public List<String> allowedPackages() {
        return List.of(
                "dev.artel.json",
                "dev.artel.json.bind",
                "dev.artel.kernel..",
                "dev.artel.blueprint..",
                "dev.artel.card",
                "dev.artel.engine..",
                "dev.artel.protocol",
                "dev.artel.session",
                "dev.artel.store.codec",
                "dev.artel.testkit.store");
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("dev.artel.(**)")
                .should()
                .beFreeOfCycles()
                .because("a judge or a mutant can then be read without the rest of the simulation")
                .check(classesOfTheModule());
    }
}
