import { jest } from '@jest/globals';
import { readStored, readStoredJson, storedKeys, writeStored } from './stored';

test('a value is kept for the browser or for the tab, and null removes it', () => {
  writeStored('a', '1');
  writeStored('a', '2', 'tab');
  expect([readStored('a'), readStored('a', 'tab')]).toEqual(['1', '2']);
  writeStored('a', null);
  expect([readStored('a'), readStored('a', 'tab'), storedKeys()]).toEqual([null, '2', []]);
});

test('what is no JSON counts as nothing', () => {
  writeStored('a', '{"b":');
  expect(readStoredJson('a')).toBeNull();
});

test('blocked storage has nothing and keeps nothing', () => {
  const block = () => {
    throw new DOMException('Blocked.', 'SecurityError');
  };
  const blocked = jest.spyOn(globalThis, 'localStorage', 'get').mockImplementation(block);
  writeStored('a', '1');
  expect([readStored('a'), readStoredJson('a'), storedKeys()]).toEqual([null, null, []]);
  blocked.mockRestore();
});
