import { inBrowser, openPage } from '../browser.mjs';
import { figure } from '../figures.mjs';

/** Lighthouse's simulated 4G: 1.6 Mbit/s down, 750 kbit/s up, 150 ms a round trip. */
const MOBILE = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6e6 / 8) * 0.9,
  uploadThroughput: (750e3 / 8) * 0.9,
};
const VISITS = 5;

/** Time from navigation to a usable composer, for a new guest. */
export async function run({ harness, quick, members }) {
  const { url } = await members(2, 'page');
  return inBrowser(harness, url, async (browser, server) => {
    // The first visit includes the start of the browser.
    await visit(browser, server);
    const visits = async (network) => {
      const times = [];
      for (let count = 0; count < (quick ? 2 : VISITS); count += 1) times.push(await visit(browser, server, network));
      return times.toSorted((a, b) => a - b)[times.length >> 1];
    };
    return [
      figure('home is usable, fast network', await visits(), 's', { atMost: 1 }),
      figure('home is usable, simulated 4G', await visits(MOBILE), 's', { atMost: 3 }),
    ];
  });
}

async function visit(browser, server, network) {
  const page = await openPage(browser, server);
  if (network) {
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
  }
  await page.goto('/', { waitUntil: 'commit' });
  const usable = await page.waitForFunction(() => {
    const field = document.querySelector('main textarea');
    return field && !field.disabled && performance.now();
  });
  const seconds = (await usable.jsonValue()) / 1000;
  await page.context().close();
  return seconds;
}
