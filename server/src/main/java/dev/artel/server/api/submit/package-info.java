/// Submitting jobs: what a request for a job may contain, and how one or many are accepted. The limit of open jobs is in `access`,
/// since forks are subject to it as well.
@NullMarked
package dev.artel.server.api.submit;

import org.jspecify.annotations.NullMarked;
