package dev.artel.server.reload;

import dev.artel.config.CommandLine;
import dev.artel.config.SettingLine;
import dev.artel.server.cards.CardFolders;
import dev.artel.server.jars.BlueprintFolder;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.Supplier;

/// Where a program has its settings and blueprints from, so that both can be read again.
///
/// @param marks of the settings with which it was started, see [CommandLine.Settings]
/// @param settings reads them again
/// @param lines reads them again, for people
/// @param blueprints the folder of jars; its maker closes it
/// @param cards the folders of process cards
public record Sources(
        SequencedMap<String, String> marks,
        Supplier<CommandLine.Outcome> settings,
        Supplier<List<SettingLine>> lines,
        BlueprintFolder blueprints,
        CardFolders cards) {}
