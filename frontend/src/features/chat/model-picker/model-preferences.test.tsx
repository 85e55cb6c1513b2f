import { readModelPreferences, writeModelPreferences } from './model-preferences';

const KEY = 'tanya.models.user:7';

beforeEach(() => localStorage.clear());

test('each owner has the last model and the favourites', () => {
  writeModelPreferences('user:7', { last: 'a/one' });
  writeModelPreferences('user:7', { favourites: ['b/two'] });
  expect(readModelPreferences('user:7')).toEqual({ last: 'a/one', favourites: ['b/two'] });
  expect(readModelPreferences('guest')).toEqual({ favourites: [] });
});

test('nothing is stored before the session is known', () => {
  writeModelPreferences(null, { last: 'a/one' });
  expect(localStorage.length).toBe(0);
});

test.each(['{', 'null', '7', '[]', '{"last":7,"favourites":"x"}', '{"favourites":[7]}'])('ignores %s', (stored) => {
  localStorage.setItem(KEY, stored);
  expect(readModelPreferences('user:7')).toEqual({ favourites: [] });
});
