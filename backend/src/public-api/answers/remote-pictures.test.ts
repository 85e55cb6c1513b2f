import { RemotePictures } from './remote-pictures.js';

it('stops with the answer', async () => {
  const pictures = new RemotePictures();
  pictures.connect = () => undefined;
  const stop = new AbortController();
  const image = { type: 'image' as const, dataUrl: 'https://pictures.example/a.png' };
  const reader = { signal: stop.signal, ended: new Promise(() => undefined) };
  const fetched = pictures.fetchIn([{ role: 'user', content: [image] }], 'user:1', reader);
  stop.abort(new Error('stopped'));
  await expect(fetched).rejects.toThrow('stopped');
});
