/// The dashboard in a real browser: Debian's Chromium, driven by Playwright.
@NullMarked
package dev.artel.browser;

import org.jspecify.annotations.NullMarked;
