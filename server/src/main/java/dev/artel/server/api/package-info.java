/// What clients may ask over HTTP: the tables of routes, [ClientApi], [AdminApi] and [PublicApi], and the description of the
/// API. Each package below has the routes and documents of one resource; `http` and `access` have what all of them share.
@NullMarked
package dev.artel.server.api;

import org.jspecify.annotations.NullMarked;
