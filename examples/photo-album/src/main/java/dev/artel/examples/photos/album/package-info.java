/// What is made of many pictures: a contact sheet and a page for a browser.
@NullMarked
package dev.artel.examples.photos.album;

import org.jspecify.annotations.NullMarked;
