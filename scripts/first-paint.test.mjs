import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';

const script = readFileSync(new URL('../frontend/public/first-paint.js', import.meta.url), 'utf8');

it('the first paint has the words of the site when they arrive before the outlines are parsed', async () => {
  const settings = { siteTitle: 'Library', welcomeMessage: 'Hello', defaultLanguage: 'en' };
  const elements = { '#first-paint-title': {}, '#first-paint-welcome': {} };
  const document = {
    readyState: 'loading',
    documentElement: { classList: { add: () => undefined }, style: {} },
    querySelector: (selector) => elements[selector] ?? null,
  };
  const fetch = async () => ({ ok: true, json: async () => settings });
  const location = { pathname: '/' };
  const [localStorage, window] = [{ getItem: () => null }, {}];
  const matchMedia = () => ({ matches: false });
  runInNewContext(script, { document, fetch, localStorage, location, matchMedia, window });
  await window.firstSettings;
  await setImmediate();
  expect(elements['#first-paint-title']).toEqual({});

  elements['.first-paint-composer'] = {};
  document.readyState = 'interactive';
  document.onreadystatechange();
  await setImmediate();
  expect(document.title).toBe('Library');
  expect(elements['#first-paint-welcome']).toEqual({ textContent: 'Hello' });
});
