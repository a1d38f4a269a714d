package dev.artel.blueprint;

import dev.artel.kernel.approval.Approvers;
import java.util.List;
import java.util.stream.Stream;

/// Which clients may decide about an approval, beside those to whom its link or token was sent: `by(it ->
/// it.orGroup("managers").exceptTheSubmitter())`. Immutable.
///
/// @param users clients by name; with `groups` empty as well: each client that may change the job
/// @param groups groups of clients; one of them is enough
/// @param submitter whether the client that submitted the job may, if it is among them
public record DecidingClients(List<String> users, List<String> groups, boolean submitter) {
    /// Each client that may change the job.
    public static final DecidingClients ANYBODY = new DecidingClients(List.of(), List.of(), true);

    /// Copies the lists.
    ///
    /// @throws IllegalArgumentException if there are more than 100 users or groups, or a name is blank or longer than 200 characters
    public DecidingClients {
        var checked = new Approvers(users, groups, submitter);
        users = checked.users();
        groups = checked.groups();
    }

    /// These and the client `name`.
    public DecidingClients orUser(String name) {
        return new DecidingClients(
                Stream.concat(users.stream(), Stream.of(name)).toList(), groups, submitter);
    }

    /// These and the clients of the group `name`.
    public DecidingClients orGroup(String name) {
        return new DecidingClients(
                users, Stream.concat(groups.stream(), Stream.of(name)).toList(), submitter);
    }

    /// The same without the client that submitted the job, and without those who had a part in that: who wrote its schedule or asked for its run,
    /// whose job was forked, who rewound it or changed its data in quarantine.
    public DecidingClients exceptTheSubmitter() {
        return new DecidingClients(users, groups, false);
    }

    Approvers kernel() {
        return new Approvers(users, groups, submitter);
    }
}
