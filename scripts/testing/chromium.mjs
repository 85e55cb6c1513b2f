import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemProgram } from './system-program.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Path of a Chromium: CHROMIUM_PATH, the system's, Playwright's, else one installed with apt-get. */
export function chromium() {
  const elsewhere = [...playwrightBrowsers(), ...onMac];
  return process.env.CHROMIUM_PATH || systemProgram({ names: NAMES, aptPackage: 'chromium', elsewhere });
}

/**
 * Path of the headless shell of Chromium where it can be had, otherwise of a Chromium. The shell has the same engines without
 * windows, and the journeys take over a quarter less CPU time in it: a new window of Chromium alone takes a second.
 */
export function headlessChromium() {
  const name = 'chromium-headless-shell';
  try {
    return process.env.CHROMIUM_PATH || systemProgram({ names: [name], aptPackage: name });
  } catch {
    // Some distributions have no package of the shell, and only root installs it.
    return chromium();
  }
}

const onMac = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

function playwrightBrowsers() {
  const cache = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache', 'ms-playwright');
  if (!existsSync(cache)) return [];
  const newestFirst = readdirSync(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort()
    .reverse();
  return newestFirst.map((name) => join(cache, name, 'chrome-linux', 'chrome'));
}
