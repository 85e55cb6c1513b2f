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

test('text that turns out to be reasoning is no longer text', () => {
  const part = { type: 'reasoning' as const, text: 'plan' };
  const turned: GenerationEvent = {
    ...{ generationId: GENERATION_ID, threadId: 1, messageId: 2 },
    ...{ seq: 2, type: 'part', index: 0, part },
  };
  const entry = replay(start(), [delta(1, 'plan\n', { part: 0 }), turned, delta(3, 'yes', { part: 1 })]);
  expect(entry).toMatchObject({ reasoning: 'plan', text: 'yes', parts: [part, { type: 'text', text: 'yes' }] });
});

test('parts follow their events, and unknown part types change nothing else', () => {
  const base = { generationId: GENERATION_ID, threadId: 1, messageId: 2 };
  const call = { type: 'tool', callId: 'a', tool: 'add', title: 'Add', args: {}, state: 'running' } as const;
  const part = (seq: number, index: number, value: object): GenerationEvent =>
    ({ ...base, seq, type: 'part', index, part: value }) as GenerationEvent;
  const hologram = { type: 'hologram' };
  const entry = replay(start(), [
    delta(1, 'hm', { type: 'reasoning-delta', part: 0 }),
    delta(2, 'One. ', { part: 1 }),
    part(3, 2, call),
    part(4, 3, hologram),
    part(5, 2, { ...call, state: 'done', result: '2' }),
    delta(6, 'Two.', { part: 4 }),
  ]);
  expect(entry).toMatchObject({ text: 'One. Two.', reasoning: 'hm', lastSeq: 6 });
  expect(entry.parts).toEqual([
    { type: 'reasoning', text: 'hm' },
    { type: 'text', text: 'One. ' },
    { ...call, state: 'done', result: '2' },
    hologram,
    { type: 'text', text: 'Two.' },
  ]);
});

test('a resync takes the parts of the message', () => {
  const parts = [{ type: 'text' as const, text: 'Saya ' }];
  expect(entryFromMessage(aiMessage(2, 1, { content: 'Saya ', parts }), GENERATION_ID).parts).toBe(parts);
  expect(entryFromMessage(aiMessage(2, 1, { content: 'Saya ' }), GENERATION_ID).parts).toEqual(parts);
});
