/// The form of requests and answers: bodies, parameters, pages of lists, JSON of the kernel's values, and errors. It knows no
/// resource and no caller.
@NullMarked
package dev.artel.server.api.http;

import org.jspecify.annotations.NullMarked;
