/// Workers over HTTP: long polls, results, and sockets for cancels and progress.
@NullMarked
package dev.artel.gateway.http;

import org.jspecify.annotations.NullMarked;
