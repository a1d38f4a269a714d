/// Immutable JSON values; reading and writing text is `dev.artel.json.text`'s business.
package dev.artel.json;
