import { delta, end, GENERATION_ID } from './chat-fixtures';
import { StreamingStore } from './streaming-store';

function storeWithFrames() {
  const frames: (() => void)[] = [];
  const streaming = new StreamingStore((commit) => frames.push(commit));
  return { streaming, frames, nextFrame: () => frames.splice(0).forEach((commit) => commit()) };
}

test('many events between two frames are one change on the screen', () => {
  const { streaming, frames, nextFrame } = storeWithFrames();
  const seen: string[] = [];
  streaming.store.subscribe((state) => seen.push(state.entries[GENERATION_ID]?.text ?? ''));
  for (let seq = 1; seq <= 100; seq += 1) streaming.receive(delta(seq, 'x'));
  expect(frames).toHaveLength(1);
  nextFrame();
  expect(seen).toEqual(['x'.repeat(100)]);
});

test('what is known of an answer survives opening it again', () => {
  const { streaming } = storeWithFrames();
  streaming.receive(delta(1, 'known'));
  streaming.open({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });
  expect(streaming.current(GENERATION_ID)?.text).toBe('known');
});

test('a closed answer leaves the screen at once', () => {
  const { streaming, nextFrame } = storeWithFrames();
  streaming.receive(delta(1, 'text'));
  nextFrame();
  expect(streaming.receive(end(2, 'text')).outcome).toBe('finished');
  streaming.close(GENERATION_ID);
  expect(streaming.store.getState().entries).toEqual({});
});

test('an answer that is opened again before it has left the screen stays', () => {
  const { streaming } = storeWithFrames();
  let remove = () => undefined as void;
  streaming.receive(delta(1, 'text'));
  streaming.close(GENERATION_ID, (later) => (remove = later));
  streaming.open({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });
  remove();
  expect(streaming.current(GENERATION_ID)).toMatchObject({ lastSeq: 0, text: '' });
});
