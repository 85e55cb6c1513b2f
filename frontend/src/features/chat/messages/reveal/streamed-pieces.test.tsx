import { aiMessage, delta, end, GENERATION_ID } from '../../client/chat-fixtures';
import { flush, openHarness, started } from '../../client/chat-client-harness';
import { FakeFrames } from '../../client/fake-frames';
import { AnswerReveal } from './answer-reveal';

const PIECE = 'x'.repeat(100);

/** A chat client whose answer has received three pieces, one each 100 ms; the last one is not visible yet. */
async function openAnswer() {
  const frames = new FakeFrames();
  const harness = openHarness(frames.onNextFrame);
  harness.streaming.createReveal = (entry) => new AnswerReveal(entry, frames);
  harness.socket.handlers['generation:start'] = () => started();
  harness.send();
  await flush();
  for (let seq = 1; seq <= 3; seq += 1) {
    if (seq > 1) frames.advance(100);
    harness.socket.emit(delta(seq, PIECE));
  }
  const rendered = () => harness.streaming.store.getState().entries[GENERATION_ID]?.text.length;
  return { ...harness, frames, rendered };
}

test('Stop shows the received text at the next frame, before its ack', async () => {
  const { chatClient, socket, frames, rendered } = await openAnswer();
  socket.handlers['generation:stop'] = () => new Promise(() => undefined);
  frames.next();
  expect(rendered()).toBe(216);
  void chatClient.stop(GENERATION_ID);
  frames.next();
  expect(rendered()).toBe(300);
});

test('the end shows the final message at once', async () => {
  const { socket, messages, frames, rendered } = await openAnswer();
  socket.emit(end(4, PIECE.repeat(4)));
  expect(messages()?.[1]).toMatchObject({ status: 'complete', content: PIECE.repeat(4) });
  await flush();
  frames.next();
  expect(rendered()).toBeUndefined();
  expect(frames.requested).toBe(0);
});

test('a resync shows the stored text at once and the next piece evenly', async () => {
  const { socket, frames, rendered } = await openAnswer();
  const message = aiMessage(2, 1, { status: 'streaming', content: PIECE.repeat(6) });
  socket.handlers['generation:resume'] = () => ({ outcome: 'resync', message, seq: 8 });
  socket.emit(delta(8, PIECE));
  await flush();
  frames.next();
  expect(rendered()).toBe(600);
  for (let seq = 9; seq <= 11; seq += 1) {
    frames.advance(100);
    socket.emit(delta(seq, PIECE));
  }
  frames.next();
  expect(rendered()).toBeGreaterThan(800);
  expect(rendered()).toBeLessThan(900);
});
