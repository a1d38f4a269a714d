/// The threads around the conversation with workers: one mailbox, its timer, and the calls that wait.
@NullMarked
package dev.artel.gateway.shell;

import org.jspecify.annotations.NullMarked;
