package dev.artel.server.wiring;

import dev.artel.engine.shell.Blueprints;
import dev.artel.server.jars.BlueprintFolder;
import dev.artel.server.reload.ReloadReport;
import java.util.List;
import java.util.function.Consumer;

/// Takes up the blueprints of jars that have come while the orchestrator runs. For one thread at a time.
final class NewBlueprints {
    private final BlueprintFolder folder;
    private final Blueprints known;
    private final Consumer<Blueprints> check;

    /// @param check throws [StartupException] if some must not be taken up
    NewBlueprints(BlueprintFolder folder, Blueprints known, Consumer<Blueprints> check) {
        this.folder = folder;
        this.known = known;
        this.check = check;
    }

    void takeUp(ReloadReport.Draft report) {
        // A jar that is being uploaded is taken up by the upload.
        synchronized (folder) {
            takeUpArrivals(report);
        }
    }

    private void takeUpArrivals(ReloadReport.Draft report) {
        var arrivals = folder.arrivals();
        report.wrong(arrivals.problems());
        arrivals.changed()
                .forEach(
                        name -> report.needsRestart(name + ", which is not the jar that was read"));
        var isNone = true;
        for (var jar : arrivals.jars()) {
            isNone &= !takeUp(jar, report);
        }
        if (isNone) {
            report.read("blueprints", false);
        }
    }

    /// All that is in a jar, or nothing.
    private boolean takeUp(BlueprintFolder.Arrival jar, ReloadReport.Draft report) {
        try {
            var some = new Blueprints();
            for (var blueprint : jar.blueprints()) {
                if (known.isTaken(blueprint.name(), blueprint.version())) {
                    throw new IllegalArgumentException(
                            "blueprint '"
                                    + blueprint.name()
                                    + "' is registered already in version "
                                    + blueprint.version()
                                    + "; give it another version and the jar another name");
                }
                some.register(blueprint);
            }
            check.accept(some);
            for (var blueprint : jar.blueprints()) {
                known.register(blueprint);
                report.changed("blueprint " + blueprint.name() + " " + blueprint.version());
            }
            return true;
        } catch (IllegalArgumentException | StartupException refused) {
            report.wrong(List.of(jar.name() + ": " + refused.getMessage()));
            return false;
        }
    }
}
