/// A client that is generated from the description of the API, against an orchestrator.
@NullMarked
package dev.artel.e2e.generated;

import org.jspecify.annotations.NullMarked;
