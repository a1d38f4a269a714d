/// Tokens that are added and revoked while the orchestrator runs; their digests alone are kept.
@NullMarked
package dev.artel.tokens;

import org.jspecify.annotations.NullMarked;
