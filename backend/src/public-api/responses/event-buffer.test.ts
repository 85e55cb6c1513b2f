import { jest } from '@jest/globals';
import { EventBuffer } from './event-buffer.js';
import { RUNNING } from './response-view.js';

it('wakes its readers for events alone', async () => {
  const recording = new EventBuffer(null);
  let isAwake = false;
  const change = recording.changed(2).then(() => (isAwake = true));
  recording.add([]);
  await new Promise(setImmediate);
  expect(isAwake).toBe(false);
  recording.add([{ type: 'response.in_progress' }]);
  await change;
});

it('does not wait for what was added since the last read', async () => {
  const recording = new EventBuffer(null);
  const { events } = (await recording.readFrom(0))!;
  recording.close(RUNNING);
  await recording.changed(events.length);
  expect((await recording.readFrom(events.length))?.isClosed).toBe(true);
  const broken = new EventBuffer(null);
  broken.abort(new Error('lost'));
  await broken.changed(2);
  await expect(broken.readFrom(2)).rejects.toThrow('lost');
});

describe('the time without a reader', () => {
  const UNREAD_MS = 60_000;
  const stop = jest.fn();
  let recording: EventBuffer;

  beforeEach(() => {
    jest.useFakeTimers();
    stop.mockReset();
    recording = new EventBuffer({ ms: UNREAD_MS, stop });
  });

  afterEach(() => void jest.useRealTimers());

  const expectStopAfter = (milliseconds: number): void => {
    jest.advanceTimersByTime(milliseconds - 1);
    expect(stop).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(stop).toHaveBeenCalledTimes(1);
  };

  it('begins with the recording', () => expectStopAfter(UNREAD_MS));

  it('begins when the last reader leaves', () => {
    const readers = [recording.addReader(), recording.addReader()];
    jest.advanceTimersByTime(10 * UNREAD_MS);
    readers[0]!();
    jest.advanceTimersByTime(10 * UNREAD_MS);
    readers[1]!();
    expectStopAfter(UNREAD_MS);
  });

  it('begins anew with each beat of a reader on another node', () => {
    for (let beat = 0; beat < 10; beat += 1) {
      jest.advanceTimersByTime(UNREAD_MS - 1);
      recording.touch();
    }
    expectStopAfter(UNREAD_MS);
  });

  it('does not begin with a beat while a reader holds the recording', () => {
    const release = recording.addReader();
    recording.touch();
    jest.advanceTimersByTime(10 * UNREAD_MS);
    release();
    expectStopAfter(UNREAD_MS);
  });

  it.each<[string, () => void]>([
    ['its last event', () => recording.close({ ...RUNNING, status: 'completed' })],
    ['an end without one', () => recording.abort(new Error('lost'))],
  ])('ends with %s', (_name, end) => {
    const release = recording.addReader();
    end();
    release();
    recording.touch();
    jest.advanceTimersByTime(2 * UNREAD_MS);
    expect(stop).not.toHaveBeenCalled();
  });
});
