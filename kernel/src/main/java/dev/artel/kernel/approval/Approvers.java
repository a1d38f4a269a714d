package dev.artel.kernel.approval;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Who may decide about an approval, beside those to whom its token was sent.
///
/// @param users clients by name; with `groups` empty as well: each client that may change the job
/// @param groups groups of clients; one of them is enough
/// @param submitter whether the client that submitted the job may, if it is among them, and those who had a part in its submission
public record Approvers(List<String> users, List<String> groups, boolean submitter) {
    /// Each client that may change the job.
    public static final Approvers ANYBODY = new Approvers(List.of(), List.of(), true);

    /// The most users, and the most groups.
    public static final int MOST = 100;

    /// The longest name, in characters.
    public static final int LONGEST_NAME = 200;

    /// Copies the lists.
    public Approvers {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
        check("users", users);
        check("groups", groups);
    }

    private static void check(String what, List<String> names) {
        if (names.size() > MOST) {
            throw new IllegalArgumentException(
                    "an approval takes at most " + MOST + " " + what + ", got " + names.size());
        }
        for (var name : names) {
            if (name.isBlank() || name.length() > LONGEST_NAME) {
                throw new IllegalArgumentException(
                        "the "
                                + what
                                + " of an approval must have 1 to "
                                + LONGEST_NAME
                                + " characters and not be blank, one was '"
                                + name
                                + "'");
            }
        }
    }

    /// These clients.
    public static Approvers users(String... names) {
        return new Approvers(List.of(names), List.of(), true);
    }

    /// The clients of these groups.
    public static Approvers groups(String... names) {
        return new Approvers(List.of(), List.of(names), true);
    }

    /// Each client that may change the job, except the one that submitted it.
    public static Approvers notTheSubmitter() {
        return ANYBODY.exceptTheSubmitter();
    }

    /// These and the clients of the group `name`.
    public Approvers orGroup(String name) {
        var more = new ArrayList<>(groups);
        more.add(name);
        return new Approvers(users, more, submitter);
    }

    /// These and the client `name`.
    public Approvers orUser(String name) {
        var more = new ArrayList<>(users);
        more.add(name);
        return new Approvers(more, groups, submitter);
    }

    /// The same without the client that submitted the job, and without those who had a part in that, such as who wrote its schedule.
    public Approvers exceptTheSubmitter() {
        return new Approvers(users, groups, false);
    }

    /// Whether single clients or groups are named.
    public boolean areNamed() {
        return !users.isEmpty() || !groups.isEmpty();
    }

    /// Whether `client` may decide.
    ///
    /// @param its the groups of `client`
    /// @param submitters whether a client submitted the job, or had a part in that
    public boolean include(String client, List<String> its, Predicate<String> submitters) {
        if (!submitter && submitters.test(client)) {
            return false;
        }
        return !areNamed() || users.contains(client) || its.stream().anyMatch(groups::contains);
    }

    /// In words, such as `the users [ada] or the groups [managers], except the client that submitted the job`.
    public String text() {
        var parts = new ArrayList<String>();
        if (!users.isEmpty()) {
            parts.add("the users " + users);
        }
        if (!groups.isEmpty()) {
            parts.add("the groups " + groups);
        }
        return (parts.isEmpty() ? "clients that may change the job" : String.join(" or ", parts))
                + (submitter ? "" : ", except the client that submitted the job");
    }
}
