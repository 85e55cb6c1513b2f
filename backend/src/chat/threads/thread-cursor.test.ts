import { parseCursor, writeCursor } from './thread-cursor.js';

it.each([false, true])('a cursor is parsed to the position from which it was written (pinned: %s)', (isPinned) => {
  const cursor = { isPinned, updatedAt: '2026-11-20T10:00:00.123456Z', id: 42 };
  expect(parseCursor(writeCursor(cursor))).toEqual(cursor);
});

it.each([
  '',
  'garbage',
  '42',
  '2026-11-20T10:00:00.123456Z',
  '2026-11-20T10:00:00Z_42',
  '2026-02-30T10:00:00.123456Z_42',
  '2026-13-01T10:00:00.123456Z_42',
  '2026-11-20T24:00:00.123456Z_42',
  '0000-11-20T10:00:00.123456Z_42',
  '2026-11-20T10:00:00.123456Z_x',
  'pinned2026-11-20T10:00:00.123456Z_42',
  'archived_2026-11-20T10:00:00.123456Z_42',
])('the parser refuses %j', (text) => {
  expect(parseCursor(text)).toBeNull();
});
