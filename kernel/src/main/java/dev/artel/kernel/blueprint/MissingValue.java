package dev.artel.kernel.blueprint;

import java.io.Serial;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedSet;

/// A handler asks for a value that its job does not have, or has in another form. Trying again gives the same, so the job
/// waits for a person.
public final class MissingValue extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    /// Names may come from others, and to compare two takes time by the product of their lengths.
    private static final int LONGEST = 100;

    private static final int MOST_COMPARED = 1_000;

    /// `message` names who asked for what, what there is and what to do.
    public MissingValue(String message) {
        super(message);
    }

    /// The code of `step` needs `wanted`.
    ///
    /// @param wanted such as `'price'` or `the result of child 'hotel'`
    /// @param found what there is instead, see [#found], or what is wrong with it
    public static MissingValue of(Step step, String wanted, String found) {
        return new MissingValue(
                "state '"
                        + step.state()
                        + "' of job "
                        + step.job()
                        + " needs "
                        + wanted
                        + ": "
                        + found);
    }

    /// The code of `step` needs the value `name`, which the job does not have.
    static MissingValue of(Step step, String name) {
        return of(step, "'" + name + "'", found(step, name));
    }

    /// What the job of `step` has in place of `name`.
    public static String found(Step step, String name) {
        var there = new LinkedHashSet<>(step.data().names());
        there.addAll(step.initialData().names());
        return "data has "
                + step.data().names()
                + " and initial data has "
                + step.initialData().names()
                + nearest(name, there).map(near -> ", the nearest is '" + near + "'").orElse("");
    }

    /// The one of the first thousand `names` that is most like `name`, if one is. One of more than 100 characters is like no other.
    public static Optional<String> nearest(String name, SequencedSet<String> names) {
        if (name.length() > LONGEST) {
            return Optional.empty();
        }
        var most = 1 + name.length() / 4;
        var best = Optional.<String>empty();
        var plain = plain(name);
        var compared = 0;
        for (var each : names) {
            compared++;
            if (compared > MOST_COMPARED) {
                break;
            }
            if (each.length() > LONGEST) {
                continue;
            }
            var distance = distance(plain, plain(each), most);
            if (distance <= most) {
                most = distance - 1;
                best = Optional.of(each);
            }
        }
        return best;
    }

    private static String plain(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    /// How many letters differ; anything above `most` if more than that do.
    private static int distance(String one, String other, int most) {
        if (Math.abs(one.length() - other.length()) > most) {
            return most + 1;
        }
        var row = new int[other.length() + 1];
        for (var j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (var i = 1; i <= one.length(); i++) {
            var diagonal = row[0];
            row[0] = i;
            for (var j = 1; j < row.length; j++) {
                var change = one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1;
                var next = Math.min(Math.min(row[j] + 1, row[j - 1] + 1), diagonal + change);
                diagonal = row[j];
                row[j] = next;
            }
        }
        return row[other.length()];
    }
}
