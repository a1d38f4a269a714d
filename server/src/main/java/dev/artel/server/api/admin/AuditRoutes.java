package dev.artel.server.api.admin;

import dev.artel.access.Caller;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.server.api.http.Page;
import dev.artel.server.api.http.PageRequest;
import io.javalin.http.Context;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/// Who has changed what: the audit log, the newest line first.
public final class AuditRoutes {
    /// About so many are looked through for one page.
    private static final long BYTES = 16 << 20;

    private final AuditLines lines;

    /// Routes that read `lines`.
    public AuditRoutes(AuditLines lines) {
        this.lines = lines;
    }

    /// Lists lines.
    public void list(Context request, Caller operator) {
        var client = Optional.ofNullable(request.queryParam("client"));
        var from = from(request);
        var asked = PageRequest.of(request, "audit");
        var page = new Page(asked);
        var begin = asked.behind().map(AuditRoutes::place).or(lines::newest);
        var next =
                begin.flatMap(place ->
                        lines.back(
                                place,
                                line -> {
                                    if (from.isPresent() && at(line).isBefore(from.get())) {
                                        return AuditLines.Step.STOP;
                                    }
                                    if (client.isEmpty() || client.equals(line.string("caller"))) {
                                        page.add(line);
                                    }
                                    return page.isFull()
                                            ? AuditLines.Step.FULL
                                            : AuditLines.Step.ON;
                                },
                                BYTES));
        page.answer(request, next.map(place -> place.end() + " " + place.file()));
    }

    private static AuditLines.Place place(String behind) {
        try {
            var space = behind.indexOf(' ');
            return new AuditLines.Place(
                    behind.substring(space + 1), Long.parseLong(behind.substring(0, space)));
        } catch (NumberFormatException | StringIndexOutOfBoundsException _) {
            throw PageRequest.invalid();
        }
    }

    private static Optional<Instant> from(Context request) {
        try {
            return Optional.ofNullable(request.queryParam("from")).map(Instant::parse);
        } catch (DateTimeException _) {
            throw new HttpRefusal(
                    ErrorCode.INVALID_PARAMETER,
                    "Invalid from parameter",
                    "from is an instant such as 2030-01-31T12:00:00Z");
        }
    }

    /// A line without a time is as new as can be: it does not end the list.
    private static Instant at(JsonObject line) {
        try {
            return line.string("at").map(Instant::parse).orElse(Instant.MAX);
        } catch (DateTimeException _) {
            return Instant.MAX;
        }
    }
}
