import type { GenerationEvent } from '@tanya/contract';
import { delta, GENERATION_ID } from '../../client/chat-fixtures';
import { FakeFrames } from '../../client/fake-frames';
import { StreamingStore } from '../../client/streaming-store';
import { AnswerReveal } from './answer-reveal';

const OTHER_ID = 'b1c1d1e1-5f0c-4a3c-9a53-0d6a4f7d7a02';

function storeWithReveal() {
  const frames = new FakeFrames();
  const streaming = new StreamingStore(frames.onNextFrame);
  streaming.createReveal = (entry) => new AnswerReveal(entry, frames);
  const rendered = (generationId = GENERATION_ID) => streaming.store.getState().entries[generationId];
  return { streaming, frames, rendered };
}

/** A store after three pieces of 100 characters, one each 100 ms; the last one has just arrived. */
function storeWithPieces(change: Parameters<typeof delta>[2] = {}) {
  const opened = storeWithReveal();
  for (let seq = 1; seq <= 3; seq += 1) {
    if (seq > 1) opened.frames.advance(100);
    opened.streaming.receive(delta(seq, 'x'.repeat(100), change));
  }
  return opened;
}

test('renders a part of the text while the answer has all of it', () => {
  const { streaming, frames, rendered } = storeWithPieces();
  expect(streaming.current(GENERATION_ID)?.text).toHaveLength(300);
  const lengths = Array.from({ length: 7 }, () => {
    frames.next();
    return rendered()?.text.length;
  });
  expect(lengths).toEqual([216, 232, 248, 264, 280, 296, 300]);
});

test('reveals reasoning as well', () => {
  const { frames, rendered } = storeWithPieces({ type: 'reasoning-delta' });
  frames.advance(48);
  expect(rendered()).toMatchObject({ text: '', reasoning: 'x'.repeat(248) });
  frames.advance(64);
  expect(rendered()?.reasoning).toHaveLength(300);
});

test('requests one frame at a time for several answers, and none when all text is visible', () => {
  const { streaming, frames, rendered } = storeWithPieces();
  streaming.receive(delta(1, 'first', { generationId: OTHER_ID, threadId: 3, messageId: 4 }));
  for (let frame = 0; frame < 7; frame += 1) {
    expect(frames.requested).toBe(1);
    frames.next();
    expect(rendered(OTHER_ID)).toBe(streaming.current(OTHER_ID));
  }
  expect(frames.requested).toBe(0);
  expect(rendered()).toBe(streaming.current(GENERATION_ID));
});

test('the removal of another answer does not start a second loop', () => {
  const { streaming, frames } = storeWithPieces();
  streaming.open({ generationId: OTHER_ID, threadId: 3, messageId: 4 });
  streaming.close(OTHER_ID);
  expect(frames.requested).toBe(1);
  frames.next();
  expect(frames.requested).toBe(1);
});

test('shows all text at the end', () => {
  const { streaming, frames, rendered } = storeWithPieces();
  streaming.close(GENERATION_ID, () => undefined);
  frames.next();
  expect(rendered()?.text).toHaveLength(300);
  expect(frames.requested).toBe(0);
});

test('shows all text after Stop, and later pieces on their arrival', () => {
  const { streaming, frames, rendered } = storeWithPieces();
  streaming.skipReveal(GENERATION_ID);
  frames.next();
  expect(rendered()?.text).toHaveLength(300);
  streaming.receive(delta(4, 'x'.repeat(100)));
  frames.next();
  expect(rendered()?.text).toHaveLength(400);
});

test('shows all text once the page is still, such as a hidden tab', () => {
  const { frames, rendered } = storeWithPieces();
  frames.isStillNow = true;
  frames.next();
  expect(rendered()?.text).toHaveLength(300);
  expect(frames.requested).toBe(0);
});

test('shows the text that arrived while the tab was hidden at the first frame after', () => {
  const { streaming, frames, rendered } = storeWithPieces();
  frames.isStillNow = true;
  streaming.receive(delta(4, 'x'.repeat(100)));
  frames.isStillNow = false;
  frames.next();
  expect(rendered()?.text).toHaveLength(400);
});

test('shows the text of a resync at once', () => {
  const { streaming, frames, rendered } = storeWithPieces();
  const base = { generationId: GENERATION_ID, threadId: 1, messageId: 2 };
  const parts = [{ type: 'text' as const, text: 'stored' }];
  const entry = { ...base, lastSeq: 9, text: 'stored', reasoning: '', parts };
  streaming.replace(entry);
  frames.next();
  expect(rendered()).toBe(entry);
});

test('shows the text of a resume after a reload at once', () => {
  const { streaming, frames, rendered } = storeWithReveal();
  for (let seq = 1; seq <= 50; seq += 1) streaming.receive(delta(seq, 'x'.repeat(100)));
  frames.next();
  expect(rendered()?.text).toHaveLength(5_000);
});

test('hides the parts after text that is not visible yet', () => {
  const { streaming, frames, rendered } = storeWithPieces();
  const call = { type: 'tool', callId: 'a', tool: 'add', title: 'Add', args: {}, state: 'running' };
  const event = { generationId: GENERATION_ID, threadId: 1, messageId: 2, seq: 4, type: 'part', index: 1, part: call };
  streaming.receive(event as unknown as GenerationEvent);
  frames.next();
  const [text, ...hidden] = rendered()?.parts ?? [];
  expect(text).toEqual({ type: 'text', text: rendered()?.text });
  expect(rendered()?.text.length).toBeLessThan(300);
  expect(hidden).toEqual([]);
  streaming.skipReveal(GENERATION_ID);
  frames.next();
  expect(rendered()?.parts.map(({ type }) => type)).toEqual(['text', 'tool']);
});
