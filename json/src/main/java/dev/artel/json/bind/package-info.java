/// Java values as JSON and back: records, collections and the usual simple types; and the schema of what fits.
package dev.artel.json.bind;
