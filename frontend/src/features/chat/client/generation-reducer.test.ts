import type { GenerationEvent } from '@tanya/contract';
import { aiMessage, delta, end, GENERATION_ID } from './chat-fixtures';
import { applyEvent, emptyEntry, entryFromMessage, type StreamingEntry } from './generation-reducer';

const start = () => emptyEntry({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });

/** Applies events without resuming after a gap. */
function replay(entry: StreamingEntry, events: GenerationEvent[]): StreamingEntry {
  return events.reduce((current, event) => {
    const applied = applyEvent(current, event);
    return applied.outcome === 'applied' ? applied.entry : current;
  }, entry);
}

const events = ['Saya ', 'di ', 'sini', '.'].map((text, index) => delta(index + 1, text));

test('the next event extends the text', () => {
  expect(replay(start(), events)).toMatchObject({ text: 'Saya di sini.', lastSeq: 4 });
});

test('reasoning and text are separate', () => {
  const entry = replay(start(), [delta(1, 'hm', { type: 'reasoning-delta' }), delta(2, 'yes')]);
  expect(entry).toMatchObject({ reasoning: 'hm', text: 'yes' });
});

test('drops an event that was applied before', () => {
  const entry = replay(start(), events);
  expect(applyEvent(entry, delta(2, 'again'))).toEqual({ outcome: 'dropped' });
});

test('reports a gap for an event after the next one', () => {
  expect(applyEvent(start(), delta(2, 'late'))).toEqual({ outcome: 'gap' });
});

test('a replay from any earlier event ends in the same text', () => {
  for (let seen = 0; seen <= events.length; seen += 1) {
    for (let from = 0; from <= seen; from += 1) {
      const entry = replay(replay(start(), events.slice(0, seen)), events.slice(from));
      expect(entry.text).toBe('Saya di sini.');
    }
  }
});

test('a closing event carries the whole message, despite a gap', () => {
  const applied = applyEvent(start(), end(9, 'all of it'));
  expect(applied).toMatchObject({ outcome: 'finished', message: { content: 'all of it' } });
});

test('after a resync with a sequence number, drops the events that its text contains', () => {
  const entry = entryFromMessage(aiMessage(2, 1, { content: 'Saya ' }), GENERATION_ID, 6);
  expect(replay(entry, [delta(6, 'ya '), delta(7, 'di '), delta(8, 'sini')])).toMatchObject({ text: 'Saya di sini' });
});

test('after a resync without a sequence number, applies the next event of any number', () => {
  const entry = entryFromMessage(aiMessage(2, 1, { content: 'Saya ' }), GENERATION_ID);
  expect(replay(entry, [delta(7, 'di '), delta(8, 'sini')])).toMatchObject({ text: 'Saya di sini', lastSeq: 8 });
});
