package dev.artel.server.wiring;

import dev.artel.config.ServerConfig;
import dev.artel.maintenance.Doctor;
import dev.artel.server.cards.CardFolders;
import dev.artel.server.jars.BlueprintFolder;
import dev.artel.server.samples.SampleBlueprints;
import java.util.ArrayList;
import java.util.List;

/// What the doctor asks about a start with the settings of `config`.
public record StartChecks(ServerConfig config) implements Doctor.Start {
    @Override
    public void readFiles() {
        Wiring.check(config);
    }

    @Override
    public List<String> unusableJars() {
        try (var jars = BlueprintFolder.read(config.blueprints().folderIn(config.data()))) {
            jars.addTo(SampleBlueprints.all());
            var problems = new ArrayList<>(jars.problems());
            problems.addAll(CardFolders.of(config).problems());
            return problems;
        }
    }
}
