import { ResponseRecording } from './response-recording.js';

it('wakes its readers for events alone', async () => {
  const recording = new ResponseRecording(null);
  let isAwake = false;
  const change = recording.changed().then(() => (isAwake = true));
  recording.add([]);
  await new Promise(setImmediate);
  expect(isAwake).toBe(false);
  recording.add([{ type: 'response.in_progress' }]);
  await change;
});
