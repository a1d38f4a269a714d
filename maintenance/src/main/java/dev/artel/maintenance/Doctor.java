package dev.artel.maintenance;

import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.files.Instance;
import dev.artel.files.PrivateFiles;
import dev.artel.kernel.store.StoreException;
import dev.artel.store.files.FolderObjectStore;
import dev.artel.store.files.UsableSpace;
import dev.artel.store.s3.S3ObjectStore;
import dev.artel.store.sqlite.SqliteMaintenance;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Looks at everything that often is wrong, and changes nothing.
public final class Doctor {
    private static final String STORE = "store";
    private static final String CLOCK = "clock";
    private static final String PORT = "port";
    private static final String DISK = "disk";
    private static final String TOKENS = "tokens";
    private static final long LITTLE = 1L << 30;
    private static final long NEXT_TO_NOTHING = 64L << 20;
    private static final Duration SLACK = Duration.ofSeconds(5);

    /// Not that the group may read: services have files of the administrator by theirs.
    private static final Set<PosixFilePermission> OPEN =
            PosixFilePermissions.fromString("----w-rw-");

    private final ServerConfig config;
    private final Path data;
    private final Instant now;
    private final List<Finding> findings = new ArrayList<>();

    private Doctor(ServerConfig config, Instant now) {
        this.config = config;
        this.data = config.data().toAbsolutePath().normalize();
        this.now = now;
    }

    /// What a start of the orchestrator would find, without one.
    public interface Start {
        /// Reads tokens, clients, workers and the certificate, and throws what is wrong with them.
        void readFiles();

        /// Sentences, each about a jar of blueprints that cannot be used.
        List<String> unusableJars();
    }

    /// All findings, in the order in which a person should care.
    public static List<Finding> look(ServerConfig config, Instant now, Start start) {
        return look(config, List.of(), now, start);
    }

    /// The same.
    ///
    /// @param secrets files with secrets that the settings do not name, such as that of the settings itself
    public static List<Finding> look(
            ServerConfig config, List<Path> secrets, Instant now, Start start) {
        var doctor = new Doctor(config, now);
        doctor.versions();
        doctor.folder();
        doctor.disk();
        doctor.store();
        if (Files.exists(doctor.data.resolve(DataFiles.DATABASE))) {
            doctor.values();
        }
        doctor.blueprints(start.unusableJars());
        doctor.tokens(start);
        secrets.forEach(doctor::secret);
        doctor.port();
        return List.copyOf(doctor.findings);
    }

    private void versions() {
        var java = Runtime.version();
        findings.add(
                java.feature() >= 25
                        ? Finding.ok("java", java.toString())
                        : Finding.fail("java", java + "; Artel needs 25 or later"));
        var version = Doctor.class.getPackage().getImplementationVersion();
        findings.add(Finding.ok("artel", version == null ? "built from source" : version));
    }

    private void folder() {
        if (!Files.exists(data)) {
            findings.add(Finding.ok("data", data + " is made at the first start"));
        } else if (!Files.isDirectory(data) || !Files.isWritable(data)) {
            findings.add(
                    Finding.fail(
                            "data",
                            data
                                    + " is no folder that the user "
                                    + System.getProperty("user.name")
                                    + " can write to"));
        } else {
            findings.add(
                    permissions()
                            .map(found ->
                                    Finding.warn(
                                            "data",
                                            data
                                                    + " may be looked into by others on this"
                                                    + " machine ("
                                                    + found
                                                    + "), and holds keys and jobs; run chmod -R go= "
                                                    + data))
                            .orElseGet(() -> Finding.ok("data", data.toString())));
        }
    }

    private Optional<String> permissions() {
        try {
            return PrivateFiles.openTo(data);
        } catch (IOException unknown) {
            return Optional.of("unknown: " + unknown);
        }
    }

    private void blueprints(List<String> unusable) {
        unusable.forEach(
                problem -> findings.add(Finding.fail("blueprints", "not used: " + problem)));
        if (unusable.isEmpty()) {
            findings.add(Finding.ok("blueprints", "all jars can be used"));
        }
    }

    private void disk() {
        var place = data;
        while (place != null && !Files.exists(place)) {
            place = place.getParent();
        }
        if (place == null) {
            return;
        }
        try {
            var free = UsableSpace.of(place);
            var text = (free >> 20) + " MiB free";
            if (free < NEXT_TO_NOTHING) {
                findings.add(Finding.fail(DISK, text + "; make room, or new jobs are refused"));
            } else if (free < LITTLE) {
                findings.add(Finding.warn(DISK, text + "; make room soon"));
            } else {
                findings.add(Finding.ok(DISK, text));
            }
        } catch (IOException unknown) {
            findings.add(Finding.warn(DISK, "cannot find out how much is free: " + unknown));
        }
    }

    private void store() {
        var file = data.resolve(DataFiles.DATABASE);
        if (!Files.exists(file)) {
            findings.add(Finding.ok(STORE, "none yet"));
            return;
        }
        var maintenance = new SqliteMaintenance(file);
        try {
            var found = maintenance.look();
            if (found.damage().isEmpty()) {
                findings.add(
                        Finding.ok(
                                STORE,
                                "%d jobs, %d of them open; tables of version %s; %s"
                                        .formatted(
                                                found.jobs(),
                                                found.open(),
                                                found.schema(),
                                                maintenance.isHeld()
                                                        ? "an orchestrator has it open"
                                                        : "no orchestrator has it open")));
            } else {
                findings.add(
                        Finding.fail(
                                STORE,
                                "damaged: "
                                        + found.damage().getFirst()
                                        + "; stop the orchestrator, keep a copy, restore a backup"));
            }
            found.lastEvent().ifPresent(this::clock);
        } catch (StoreException unreadable) {
            findings.add(Finding.fail(STORE, String.valueOf(unreadable.getMessage())));
        }
    }

    private void values() {
        var s3 = config.payloads().s3();
        try (var objects =
                s3.isPresent()
                        ? S3ObjectStore.open(s3.get())
                        : FolderObjectStore.lookInto(data.resolve(DataFiles.PAYLOADS))) {
            findings.add(
                    new PayloadCheck(
                                    objects,
                                    new SqliteMaintenance(data.resolve(DataFiles.DATABASE)))
                            .look(config.payloads().grace()));
        } catch (StoreException unreadable) {
            findings.add(Finding.fail(PayloadCheck.TOPIC, String.valueOf(unreadable.getMessage())));
        }
    }

    private void clock(Instant lastEvent) {
        if (lastEvent.isAfter(now.plus(SLACK))) {
            findings.add(
                    Finding.fail(
                            CLOCK,
                            "it is "
                                    + now
                                    + " and the last event happened at "
                                    + lastEvent
                                    + ": the clock has gone back; set it"));
        } else {
            findings.add(Finding.ok(CLOCK, now + ", the last event was at " + lastEvent));
        }
    }

    private void tokens(Start start) {
        try {
            start.readFiles();
            findings.add(
                    Finding.ok(
                            TOKENS,
                            config.tokens() instanceof TokenSettings.Given
                                    ? "chosen by a person; files of clients and workers can be read"
                                    : "of the data folder; files of clients and workers can be"
                                            + " read"));
        } catch (RuntimeException wrong) {
            findings.add(Finding.fail(TOKENS, String.valueOf(wrong.getMessage())));
        }
        for (var name : DataFiles.WITH_TOKENS) {
            secret(data.resolve(name));
        }
        config.ingress().access().clients().ifPresent(this::secret);
        config.ingress().access().workers().ifPresent(this::secret);
        config.actions().secrets().ifPresent(this::secret);
        config.ingress().tls().ifPresent(tls -> secret(tls.key()));
        zeroMq();
        if (config.isPlainForOthers()) {
            findings.add(
                    Finding.warn(
                            TOKENS,
                            "they travel over plain HTTP, and other machines reach "
                                    + config.http().host()
                                    + "; set tls.certificate and tls.key, or name the proxy that"
                                    + " speaks TLS in proxy.trusted"));
        }
    }

    private void zeroMq() {
        if (config.ingress().zeromq().isPlainForOthers()) {
            findings.add(
                    Finding.warn(
                            TOKENS,
                            "they travel unencrypted over ZeroMQ, and other machines reach "
                                    + config.ingress().zeromq().host()
                                    + "; set zeromq.curve-public-key and zeromq.curve-secret-key"));
        }
    }

    private void secret(Path file) {
        try {
            if (!Files.exists(file) || !PrivateFiles.isPosix(file)) {
                return;
            }
            var found = Files.getPosixFilePermissions(file);
            if (OPEN.stream().anyMatch(found::contains)) {
                findings.add(
                        Finding.warn(
                                TOKENS,
                                file
                                        + " can be read or changed by others here ("
                                        + PosixFilePermissions.toString(found)
                                        + "), and holds secrets; chmod 600 "
                                        + file));
            }
        } catch (IOException unknown) {
            findings.add(Finding.warn(TOKENS, "cannot see who may read " + file));
        }
    }

    private void port() {
        var http = config.http();
        var address = new InetSocketAddress(http.host(), http.port());
        var place = http.host() + ":" + http.port();
        if (address.isUnresolved()) {
            findings.add(Finding.fail(PORT, "there is no address " + http.host()));
            return;
        }
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            findings.add(Finding.ok(PORT, place + " is free"));
        } catch (IOException taken) {
            taken(place, address.getAddress());
        }
    }

    private void taken(String place, InetAddress address) {
        var host = address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
        var answer = Probe.ready(config, host);
        if (answer.isEmpty()) {
            findings.add(
                    Finding.fail(
                            PORT,
                            place
                                    + " is taken by something that is no orchestrator; stop it or"
                                    + " choose another port"));
            return;
        }
        if (isAnother(answer.get())) {
            findings.add(
                    Finding.fail(
                            PORT,
                            place
                                    + " is an orchestrator on another data folder, not on "
                                    + data
                                    + "; name its folder with --data, or the port of this one with"
                                    + " --port"));
            return;
        }
        var text = place + " is an orchestrator that reports: " + answer.get().status();
        findings.add(answer.get().isReady() ? Finding.ok(PORT, text) : Finding.warn(PORT, text));
        difference(answer.get()).ifPresent(findings::add);
        findings.addAll(Running.look(config, host, data));
    }

    /// Whether an orchestrator is certainly not the one of the data folder.
    private boolean isAnother(Probe.Answer answer) {
        try {
            return answer.instance().isPresent() && !answer.instance().equals(Instance.of(data));
        } catch (IOException unknown) {
            findings.add(Finding.warn(PORT, "cannot see which orchestrator has " + data));
            return false;
        }
    }

    private Optional<Finding> difference(Probe.Answer answer) {
        try {
            var its =
                    ZonedDateTime.parse(answer.date(), DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant();
            var apart = Duration.between(its, now).abs();
            return apart.compareTo(SLACK) > 0
                    ? Optional.of(
                            Finding.warn(
                                    CLOCK,
                                    "the orchestrator's clock is "
                                            + apart.toSeconds()
                                            + " s off this one"))
                    : Optional.empty();
        } catch (DateTimeParseException none) {
            return Optional.empty();
        }
    }
}
