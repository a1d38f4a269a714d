/// What clients do with jobs that live or are over: cancel, pause, change, signal, fork, rewind, resolve and delete, one by one
/// or many at once. Beginning new jobs from nothing is in `submit`.
@NullMarked
package dev.artel.server.api.control;

import org.jspecify.annotations.NullMarked;
