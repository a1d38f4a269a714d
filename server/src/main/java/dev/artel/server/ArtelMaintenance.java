package dev.artel.server;

import dev.artel.backup.BackupPlace;
import dev.artel.config.BackupSettings;
import dev.artel.config.CommandLine;
import dev.artel.config.LogSettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.SettingParsers;
import dev.artel.json.text.Printable;
import dev.artel.kernel.store.StoreException;
import dev.artel.maintenance.Backup;
import dev.artel.maintenance.Doctor;
import dev.artel.maintenance.Finding;
import dev.artel.maintenance.MaintenanceFailed;
import dev.artel.maintenance.Restore;
import dev.artel.maintenance.TokenCommands;
import dev.artel.server.logs.ProgramLog;
import dev.artel.server.wiring.StartChecks;
import dev.artel.server.wiring.Wiring;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Backups, restoring them, tokens, and a look at what may be wrong: `backup TARGET`, `restore BACKUP [--replace] [--unchecked]`,
/// `token add|revoke|list|show`, `doctor`.
public final class ArtelMaintenance {
    private static final String USAGE =
            """
            usage: ./artel backup TARGET [--data FOLDER]
                   ./artel restore BACKUP [--data FOLDER] [--replace] [--unchecked]
                   ./artel token add client NAME|worker ID|workers [--expires TIME] [--to FILE | --sha256 HEX]
                   ./artel token revoke ID [--in TIME]
                   ./artel token list
                   ./artel token show client|worker
                   ./artel doctor [--data FOLDER] [--config FILE] [--SETTING VALUE]...
              TARGET     a file if its name ends with .zip, otherwise a folder; the orchestrator may run
              BACKUP     what backup made, or what an orchestrator kept with --backup.to: a folder or
                         s3://BUCKET/PREFIX; the orchestrator must not run
              --replace  puts a data folder with jobs aside, as FOLDER.before-DATE
              --unchecked  takes all files of a backup whose backup.json does not name them, as older
                         versions wrote it
              token      adds, revokes and lists tokens; an orchestrator that runs takes it up at once.
                         show prints one of the two that were made at the first start
              TIME       30d, 12h and the like: --expires, for how long the new one is good; --in, for
                         how long the revoked one still is
              --to FILE  where the new token is written, for its owner alone; else it is printed, once
              --sha256   the digest of a token that was made elsewhere
            exit code 1: it could not be done, or the doctor found what does not work\
            """;

    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private ArtelMaintenance() {}

    /// Does one of them.
    public static void main(String[] arguments) {
        ProgramLog.begin(LogSettings.DEFAULTS);
        System.exit(run(new ArrayList<>(Arrays.asList(arguments))));
    }

    private static int run(List<String> arguments) {
        var command = arguments.isEmpty() ? "" : arguments.removeFirst();
        if (command.equals("token")) {
            return token(arguments);
        }
        var isReplaced = command.equals("restore") && arguments.remove("--replace");
        var isUnchecked = command.equals("restore") && arguments.remove("--unchecked");
        var takesPlace = command.equals("backup") || command.equals("restore");
        var place =
                takesPlace && !arguments.isEmpty() && !arguments.getFirst().startsWith("--")
                        ? Optional.of(arguments.removeFirst())
                        : Optional.<String>empty();
        if (place.isPresent() != takesPlace || !(takesPlace || command.equals("doctor"))) {
            System.err.println(USAGE);
            return MISUSED;
        }
        var flags = arguments.toArray(String[]::new);
        return switch (CommandLine.read(flags, System.getenv())) {
            case CommandLine.Help _ -> {
                System.out.println(USAGE);
                yield 0;
            }
            case CommandLine.Problems(var problems) -> {
                problems.forEach(
                        problem -> System.err.println(Printable.behind("artel: ", problem)));
                yield MISUSED;
            }
            case CommandLine.Settings(var config, var _) -> {
                ProgramLog.begin(config.ingress().logs());
                if (place.isEmpty()) {
                    yield doctor(config, CommandLine.fileWithSecrets(flags, System.getenv()));
                }
                var restore = new Restore(config.data());
                yield done(
                        command,
                        place.get(),
                        isReplaced,
                        isUnchecked ? restore.unchecked() : restore,
                        config);
            }
        };
    }

    private static int token(List<String> arguments) {
        var words = new ArrayList<String>();
        while (!arguments.isEmpty() && !arguments.getFirst().startsWith("-")) {
            words.add(arguments.removeFirst());
        }
        try {
            var expires = option("--expires", arguments).map(SettingParsers::duration);
            var grace = option("--in", arguments).map(SettingParsers::duration);
            var file = option("--to", arguments).map(Path::of);
            var digest = option("--sha256", arguments);
            var act = words.isEmpty() ? "" : words.removeFirst();
            var isAdd = act.equals("add");
            var isRevoke = act.equals("revoke") && words.size() == 1;
            var isShow = act.equals("show") && words.size() == 1;
            if (!(isAdd || isRevoke || isShow || (act.equals("list") && words.isEmpty()))
                    || (!isAdd && (expires.isPresent() || file.isPresent() || digest.isPresent()))
                    || (!isRevoke && grace.isPresent())) {
                System.err.println(USAGE);
                return MISUSED;
            }
            return switch (CommandLine.read(arguments.toArray(String[]::new), System.getenv())) {
                case CommandLine.Help _ -> {
                    System.out.println(USAGE);
                    yield 0;
                }
                case CommandLine.Problems(var problems) -> {
                    problems.forEach(
                            problem -> System.err.println(Printable.behind("artel: ", problem)));
                    yield MISUSED;
                }
                case CommandLine.Settings(var config, var _) -> {
                    ProgramLog.begin(config.ingress().logs());
                    var tokens =
                            new TokenCommands(
                                    config.data(),
                                    register -> Wiring.tokens(config, register),
                                    InstantSource.system(),
                                    System.getProperty("user.name", "unknown"));
                    if (isAdd) {
                        yield report(tokens.add(words, expires, digest, file));
                    }
                    if (isShow) {
                        System.out.println(tokens.show(words.getFirst()));
                        yield 0;
                    }
                    if (isRevoke) {
                        yield report(tokens.revoke(words.getFirst(), grace));
                    }
                    tokens.list().forEach(line -> System.out.println(Printable.line(line)));
                    yield 0;
                }
            };
        } catch (IllegalArgumentException misused) {
            System.err.println("artel: a TIME or FILE " + misused.getMessage());
            return MISUSED;
        } catch (MaintenanceFailed failed) {
            System.err.println(Printable.behind("artel: ", String.valueOf(failed.getMessage())));
            return FAILED;
        }
    }

    /// The token alone on the standard output, so that it can be handed on; the rest beside it.
    private static int report(TokenCommands.Done done) {
        System.err.println(Printable.behind("artel: ", done.report()));
        done.token().ifPresent(System.out::println);
        return done.isInForce() ? 0 : FAILED;
    }

    private static Optional<String> option(String name, List<String> arguments) {
        var place = arguments.indexOf(name);
        if (place < 0) {
            return Optional.empty();
        }
        arguments.remove(place);
        if (place == arguments.size()) {
            throw new IllegalArgumentException("is missing behind " + name);
        }
        return Optional.of(arguments.remove(place));
    }

    private static int done(
            String command,
            String place,
            boolean isReplaced,
            Restore restore,
            ServerConfig config) {
        try {
            if (command.equals("backup")) {
                backup(Path.of(place), config);
            } else {
                restore(place, isReplaced, restore, config);
            }
            return 0;
        } catch (MaintenanceFailed failed) {
            System.err.println(Printable.behind("artel: ", String.valueOf(failed.getMessage())));
            return FAILED;
        }
    }

    private static void backup(Path target, ServerConfig config) {
        var hasValues = config.payloads().s3().isEmpty();
        var copied = new Backup(config.data(), hasValues).to(target, Instant.now());
        System.out.println(
                "artel: backup in "
                        + copied.place()
                        + ", "
                        + copied.bytes()
                        + " bytes, the database and "
                        + copied.files()
                        + " files; there are tokens in it"
                        + (hasValues ? "" : "; large values are in the bucket, not in it"));
    }

    private static void restore(
            String backup, boolean isReplaced, Restore restore, ServerConfig config) {
        var restored = restored(backup, isReplaced, restore, config);
        restored.before().ifPresent(folder -> System.out.println("artel: put aside " + folder));
        System.out.println(
                "artel: restored "
                        + restored.jobs()
                        + " jobs as of "
                        + restored.made()
                        + " to "
                        + config.data().toAbsolutePath().normalize());
        if (!restored.code().isEmpty()) {
            System.out.println(
                    "artel: the backup brought code, which the next start runs: "
                            + String.join(", ", restored.code()));
        }
        if (!restored.tokens().isEmpty()) {
            System.out.println(
                    "artel: the backup brought tokens, which are good from the next start on: "
                            + String.join(", ", restored.tokens()));
        }
        if (!restored.settings().isEmpty()) {
            System.out.println(
                    "artel: the backup brought what begins or bounds jobs, or sends what becomes of them, from the next start on: "
                            + String.join(", ", restored.settings()));
        }
    }

    private static Restore.Restored restored(
            String backup, boolean isReplaced, Restore restore, ServerConfig config) {
        try {
            var target = BackupSettings.Target.of(backup);
            if (target instanceof BackupSettings.Folder(var path)
                    && !Files.exists(path.resolve("head.json"))) {
                return restore.from(path, isReplaced, Instant.now());
            }
            try (var place = BackupPlace.lookInto(config.backup().withTo(target))) {
                return restore.from(place, isReplaced, Instant.now());
            }
        } catch (IllegalArgumentException | StoreException unusable) {
            throw new MaintenanceFailed(
                    "restore of " + backup + ": " + unusable.getMessage(), unusable);
        }
    }

    private static int doctor(ServerConfig config, Optional<Path> fileWithSecrets) {
        var findings =
                Doctor.look(
                        config,
                        fileWithSecrets.stream().toList(),
                        Instant.now(),
                        new StartChecks(config));
        findings.forEach(System.out::println);
        return findings.stream().anyMatch(each -> each.level() == Finding.Level.FAIL) ? FAILED : 0;
    }
}
