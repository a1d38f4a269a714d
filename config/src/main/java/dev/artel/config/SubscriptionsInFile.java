package dev.artel.config;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.UnaryOperator;

/// Reads the subscriptions of a file of settings: `webhooks.subscriptions.NAME.url` and what else belongs to each.
final class SubscriptionsInFile {
    private static final String URL = "url";
    private static final String SECRET = "secret";
    private static final String PREVIOUS = "previous-secret";
    private static final String UNTIL = "previous-secret-until";
    private static final String EVENTS = "events";
    private static final String BLUEPRINTS = "blueprints";
    private static final List<String> FIELDS =
            List.of(URL, SECRET, PREVIOUS, UNTIL, EVENTS, BLUEPRINTS);

    private final SequencedMap<String, SequencedMap<String, String>> byName = new LinkedHashMap<>();
    private final UnaryOperator<String> named;
    private final List<String> problems;

    /// @param named how messages call a setting
    /// @param problems gets all that is wrong
    SubscriptionsInFile(UnaryOperator<String> named, List<String> problems) {
        this.named = named;
        this.problems = problems;
    }

    /// None.
    static SubscriptionsInFile none() {
        return new SubscriptionsInFile(UnaryOperator.identity(), new ArrayList<>());
    }

    /// Takes a setting.
    ///
    /// @return whether it is one of a subscription
    boolean take(String setting, String value) {
        if (setting.equals("webhooks.subscriptions")) {
            problems.add(
                    named.apply(setting)
                            + " must have a name for each, and under it a url and a secret, as in "
                            + SubscriptionSettings.PREFIX
                            + "on-call.url");
            return true;
        }
        if (!setting.startsWith(SubscriptionSettings.PREFIX)) {
            return false;
        }
        var rest = setting.substring(SubscriptionSettings.PREFIX.length());
        var dot = rest.lastIndexOf('.');
        if (dot < 0 || !FIELDS.contains(rest.substring(dot + 1))) {
            problems.add(
                    "unknown setting "
                            + named.apply(setting)
                            + "; a subscription has "
                            + FIELDS
                            + Suggestions.like(rest.substring(dot + 1), FIELDS));
        } else {
            byName.computeIfAbsent(rest.substring(0, dot), _ -> new LinkedHashMap<>())
                    .put(rest.substring(dot + 1), value);
        }
        return true;
    }

    /// Those that are as they should be, save their URLs.
    List<SubscriptionSettings> all() {
        var all = new ArrayList<SubscriptionSettings>();
        byName.forEach((name, fields) -> read(name, fields).ifPresent(all::add));
        return all;
    }

    private Optional<SubscriptionSettings> read(String name, SequencedMap<String, String> fields) {
        var before = problems.size();
        SubscriptionSettings.problemOfName(name)
                .ifPresent(why ->
                        problems.add(named.apply(SubscriptionSettings.PREFIX + name) + " " + why));
        var url = required(name, fields, URL, "set where it is called");
        var secret =
                required(
                        name,
                        fields,
                        SECRET,
                        "make one with: echo whsec_$(openssl rand -base64 32)");
        secret.flatMap(SubscriptionSettings::problemOfSecret)
                .ifPresent(why -> problem(name, SECRET, why));
        var previous = previous(name, fields);
        var events = list(name, fields, EVENTS);
        SubscriptionSettings.problemOfEvents(events).ifPresent(why -> problem(name, EVENTS, why));
        var blueprints = list(name, fields, BLUEPRINTS);
        return problems.size() > before
                ? Optional.empty()
                : Optional.of(
                        new SubscriptionSettings(
                                name,
                                url.orElseThrow(),
                                events,
                                blueprints,
                                new Secret(secret.orElseThrow()),
                                previous));
    }

    /// The former secret, whose end may have passed.
    private Optional<SigningSecret> previous(String name, SequencedMap<String, String> fields) {
        var secret = Optional.ofNullable(fields.get(PREVIOUS)).map(String::strip);
        var problem = secret.flatMap(SubscriptionSettings::problemOfSecret);
        problem.ifPresent(why -> problem(name, PREVIOUS, why));
        if (secret.isEmpty() && fields.containsKey(UNTIL)) {
            problem(name, UNTIL, "sets when " + PREVIOUS + " ends, and there is none");
        }
        var until = Optional.ofNullable(fields.get(UNTIL)).flatMap(text -> instant(name, text));
        return secret.filter(_ -> problem.isEmpty())
                .map(good -> new SigningSecret(new Secret(good), until));
    }

    private Optional<Instant> instant(String name, String text) {
        try {
            return Optional.of(OffsetDateTime.parse(text.strip()).toInstant());
        } catch (DateTimeException noTime) {
            problem(
                    name,
                    UNTIL,
                    "must be a time with its zone such as 2030-01-31T00:00:00Z, was '"
                            + text
                            + "'");
            return Optional.empty();
        }
    }

    private Optional<String> required(
            String name, SequencedMap<String, String> fields, String field, String advice) {
        var value = Optional.ofNullable(fields.get(field)).map(String::strip);
        if (value.isEmpty()) {
            problem(name, field, "is missing; " + advice);
        } else if (value.get().isEmpty()) {
            problem(name, field, "must not be blank; " + advice);
        }
        return value.filter(text -> !text.isEmpty());
    }

    /// A list that is there and empty means neither all nor none.
    private List<String> list(String name, SequencedMap<String, String> fields, String field) {
        var text = fields.get(field);
        if (text == null) {
            return List.of();
        }
        var all = SettingParsers.list(text);
        if (all.isEmpty()) {
            problem(name, field, "must name at least one; leave it out for all");
        }
        return all;
    }

    private void problem(String name, String field, String why) {
        problems.add(named.apply(SubscriptionSettings.PREFIX + name + "." + field) + " " + why);
    }

    /// Reports what is wrong with the URLs, and with how many there are.
    void report(WebhookSettings settings) {
        settings.problems()
                .forEach(problem ->
                        problems.add(named.apply(problem.setting()) + " " + problem.why()));
    }
}
