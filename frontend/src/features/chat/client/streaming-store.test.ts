import { delta, end, GENERATION_ID } from './chat-fixtures';
import { FakeFrames } from './fake-frames';
import { StreamingStore } from './streaming-store';

function storeWithFrames() {
  const frames = new FakeFrames();
  return { streaming: new StreamingStore(frames.onNextFrame), frames };
}

test('the events between two frames cause one update of the store', () => {
  const { streaming, frames } = storeWithFrames();
  const seen: string[] = [];
  streaming.store.subscribe((state) => seen.push(state.entries[GENERATION_ID]?.text ?? ''));
  for (let seq = 1; seq <= 100; seq += 1) streaming.receive(delta(seq, 'x'));
  expect(frames.requested).toBe(1);
  frames.next();
  expect(seen).toEqual(['x'.repeat(100)]);
});

test('opening an answer again keeps its text', () => {
  const { streaming } = storeWithFrames();
  streaming.receive(delta(1, 'received'));
  streaming.open({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });
  expect(streaming.current(GENERATION_ID)?.text).toBe('received');
});

test('a closed answer leaves the store at once', () => {
  const { streaming, frames } = storeWithFrames();
  streaming.receive(delta(1, 'text'));
  frames.next();
  expect(streaming.receive(end(2, 'text')).outcome).toBe('finished');
  streaming.close(GENERATION_ID);
  expect(streaming.store.getState().entries).toEqual({});
});

test('an answer that is opened again before its removal stays in the store', () => {
  const { streaming } = storeWithFrames();
  let remove = () => undefined as void;
  streaming.receive(delta(1, 'text'));
  streaming.close(GENERATION_ID, (later) => (remove = later));
  streaming.open({ generationId: GENERATION_ID, threadId: 1, messageId: 2 });
  remove();
  expect(streaming.current(GENERATION_ID)).toMatchObject({ lastSeq: 0, text: '' });
});
