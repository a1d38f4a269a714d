/// Reads and writes `dev.artel.json` values as UTF-8 text, strictly.
package dev.artel.json.text;
