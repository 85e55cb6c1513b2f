import type { GenerationEvent } from '@tanya/contract';
import { aiMessage, delta, end, GENERATION_ID } from './chat-fixtures';
import { applyEvent, emptyEntry, entryFromMessage, type StreamingEntry } from './generation-reducer';

const start = () => emptyEntry({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });

/** Applies events as the session does, without asking for missed ones. */
function replay(entry: StreamingEntry, events: GenerationEvent[]): StreamingEntry {
  return events.reduce((current, event) => {
    const applied = applyEvent(current, event);
    return applied.outcome === 'applied' ? applied.entry : current;
  }, entry);
}

const events = ['Saya ', 'di ', 'sini', '.'].map((text, index) => delta(index + 1, text));

test('the next event grows the text', () => {
  expect(replay(start(), events)).toMatchObject({ text: 'Saya di sini.', lastSeq: 4 });
});

test('reasoning grows apart from the text', () => {
  const entry = replay(start(), [delta(1, 'hm', { type: 'reasoning-delta' }), delta(2, 'yes')]);
  expect(entry).toMatchObject({ reasoning: 'hm', text: 'yes' });
});

test('an event that was seen before changes nothing', () => {
  const entry = replay(start(), events);
  expect(applyEvent(entry, delta(2, 'again'))).toEqual({ outcome: 'dropped' });
});

test('an event beyond the next one is a gap', () => {
  expect(applyEvent(start(), delta(2, 'late'))).toEqual({ outcome: 'gap' });
});

test('any prefix and a replay from any earlier point end in the same text', () => {
  for (let seen = 0; seen <= events.length; seen += 1) {
    for (let from = 0; from <= seen; from += 1) {
      const entry = replay(replay(start(), events.slice(0, seen)), events.slice(from));
      expect(entry.text).toBe('Saya di sini.');
    }
  }
});

test('a closing event brings the whole message, whatever was missed', () => {
  const applied = applyEvent(start(), end(9, 'all of it'));
  expect(applied).toMatchObject({ outcome: 'finished', message: { content: 'all of it' } });
});

test('after a resync that says how far its text goes, events that are in it already are dropped', () => {
  const entry = entryFromMessage(aiMessage(2, 1, { content: 'Saya ' }), GENERATION_ID, 6);
  expect(replay(entry, [delta(6, 'ya '), delta(7, 'di '), delta(8, 'sini')])).toMatchObject({ text: 'Saya di sini' });
});

test('after a resync without a place the text goes on with whatever event comes next', () => {
  const entry = entryFromMessage(aiMessage(2, 1, { content: 'Saya ' }), GENERATION_ID);
  expect(replay(entry, [delta(7, 'di '), delta(8, 'sini')])).toMatchObject({ text: 'Saya di sini', lastSeq: 8 });
});
