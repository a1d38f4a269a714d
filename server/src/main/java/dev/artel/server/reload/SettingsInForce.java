package dev.artel.server.reload;

import dev.artel.config.AccessSettings;
import dev.artel.config.CommandLine;
import dev.artel.config.ServerConfig;
import dev.artel.config.SettingLine;
import dev.artel.server.logs.ProgramLog;
import dev.artel.webhook.Unusable;
import dev.artel.webhook.Webhooks;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;

/// The settings that are in force: those of the start, and of some that can be exchanged while the orchestrator runs, those
/// that were read last. For one thread at a time.
public final class SettingsInForce {
    private static final String ALL = "settings";
    private static final String LEVEL = "logs.level";
    private static final String WEBHOOKS = "webhooks.";
    private static final String ACCESS = "access.";
    private static final String KNOWN = "access.rates.known";

    private final Optional<Sources> sources;
    private final SequencedMap<String, String> marks;
    private final SequencedMap<String, SettingLine> lines = new LinkedHashMap<>();
    private AccessSettings access;

    /// @param sources empty: the settings cannot be read again
    public SettingsInForce(ServerConfig config, Optional<Sources> sources) {
        this.sources = sources;
        marks = new LinkedHashMap<>();
        sources.map(Sources::marks).ifPresent(marks::putAll);
        sources.map(Sources::lines)
                .ifPresent(all -> all.get().forEach(line -> lines.put(line.name(), line)));
        access = config.ingress().access();
    }

    /// Who may speak to the orchestrator, and how often.
    public AccessSettings access() {
        return access;
    }

    /// All settings as they are in force, for people; none of a program that has no sources of them.
    public synchronized List<SettingLine> lines() {
        return List.copyOf(lines.sequencedValues());
    }

    /// Those that were exchanged, as they are now.
    private synchronized void show(Collection<String> names) {
        sources.map(Sources::lines)
                .ifPresent(all ->
                        all.get().stream()
                                .filter(line -> names.contains(line.name()))
                                .forEach(line -> lines.put(line.name(), line)));
    }

    /// Reads them again, and exchanges what can be exchanged; that of access is for the caller to put in force.
    public void reread(ReloadReport.Draft report, Webhooks webhooks) {
        if (sources.isEmpty()) {
            return;
        }
        switch (sources.get().settings().get()) {
            case CommandLine.Settings(var config, var now) ->
                    exchange(config, now, report, webhooks);
            case CommandLine.Problems(var problems) -> report.wrong(problems);
            case CommandLine.Help _ ->
                    throw new IllegalStateException("it was not started to show its manual");
        }
    }

    private void exchange(
            ServerConfig config,
            SequencedMap<String, String> now,
            ReloadReport.Draft report,
            Webhooks webhooks) {
        var names = new TreeSet<>(marks.keySet());
        names.addAll(now.keySet());
        names.removeIf(name -> Objects.equals(marks.get(name), now.get(name)));
        if (names.isEmpty()) {
            report.read(ALL, false);
            return;
        }
        var ofWebhooks = names.stream().filter(name -> name.startsWith(WEBHOOKS)).toList();
        if (!ofWebhooks.isEmpty()) {
            try {
                webhooks.use(config.ingress().webhooks());
                taken(ofWebhooks, now, report);
            } catch (Unusable refused) {
                report.wrong(List.of(String.valueOf(refused.getMessage())));
            }
        }
        var ofAccess =
                names.stream()
                        .filter(name -> name.startsWith(ACCESS) && !name.equals(KNOWN))
                        .toList();
        if (!ofAccess.isEmpty()) {
            access = config.ingress().access();
            taken(ofAccess, now, report);
        }
        var isLevelTaken =
                names.contains(LEVEL) && ProgramLog.change(config.ingress().logs().level());
        if (isLevelTaken) {
            taken(List.of(LEVEL), now, report);
        }
        names.removeIf(name ->
                ofWebhooks.contains(name)
                        || ofAccess.contains(name)
                        || (isLevelTaken && name.equals(LEVEL)));
        names.forEach(report::needsRestart);
    }

    private void taken(
            List<String> names, SequencedMap<String, String> now, ReloadReport.Draft report) {
        for (var name : names) {
            var mark = now.get(name);
            if (mark == null) {
                marks.remove(name);
            } else {
                marks.put(name, mark);
            }
            report.changed(name);
        }
        show(names);
    }
}
