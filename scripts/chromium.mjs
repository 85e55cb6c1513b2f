import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { systemProgram } from './system-program.mjs';

/** Path of a Chromium: CHROMIUM_PATH, the system's, Playwright's, else one installed with apt-get. */
export function chromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return chosen;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return systemProgram({ names, aptPackage: 'chromium', elsewhere: [...playwrightBrowsers(), ...onMac] });
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
