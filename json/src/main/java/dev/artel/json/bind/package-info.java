/// Java values as JSON and back: records, collections and simple types; and the schema of what fits.
package dev.artel.json.bind;
