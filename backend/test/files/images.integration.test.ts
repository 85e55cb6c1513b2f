import sharp from 'sharp';
import { TEXTS } from '@tanya/contract';
import { type ChatHarness, startChatHarness } from '../harness/chat-harness.js';
import { errorOf, type HttpClient } from '../harness/http-client.js';
import { download, PNG, upload } from '../harness/uploads.js';

let server: ChatHarness;
let guest: HttpClient;

beforeAll(async () => {
  server = await startChatHarness({ redis: false, cachesFiles: false });
});

beforeEach(async () => {
  guest = await server.guest();
});

afterAll(() => server.close());

const photo = () =>
  sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .withExif({ IFD0: { Make: 'CANARY' }, IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '6/1 12/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();

describe('an uploaded image', () => {
  it('is stored upright and without metadata, as an upload and within a message', async () => {
    const image = await photo();
    expect((await sharp(image).metadata()).exif).toBeDefined();
    const { body } = await upload(guest, image, 'foto.jpg', 'image/jpeg');
    const imageData = `data:image/jpeg;base64,${image.toString('base64')}`;
    const { client } = await server.member();
    const sent = await client.post<{ userMessage: { content: string } }>('/api/chat/message', {
      content: JSON.stringify({ text: 'lihat', imageData }),
    });
    const { imageData: url } = JSON.parse(sent.body.userMessage.content) as { imageData: string };
    for (const { bytes } of [await download(guest, body.url), await download(client, url)]) {
      const { exif, width, height, orientation } = await sharp(bytes).metadata();
      expect([exif, width, height, orientation]).toEqual([undefined, 20, 40, undefined]);
      expect(bytes.includes('CANARY')).toBe(false);
    }
    expect(body.size).toBe((await download(guest, body.url)).bytes.length);
  });

  it.each([
    ['a guest', 30, 5_478],
    ['a member', 100, 10_001],
  ])('of %s with more than %d megapixels is refused (UP-8)', async (who, limit, side) => {
    const client = who === 'a guest' ? guest : (await server.member()).client;
    const background = { r: 200, g: 0, b: 0 };
    const create = { width: side, height: side, channels: 3, background } as const;
    const image = await sharp({ create, limitInputPixels: false }).png().toBuffer();
    const refused = errorOf(await upload(client, image, 'a.png', 'image/png'));
    expect(refused).toMatchObject({ code: 'too_large', details: { params: { limit, unit: 'megapixels' } } });
    expect(refused.message).toContain(`${limit} megapixels`);
  });

  it('that declares 50,000 × 50,000 pixels is refused (UP-8)', async () => {
    const bomb = Buffer.from(PNG);
    bomb.writeUInt32BE(50_000, 16);
    bomb.writeUInt32BE(50_000, 20);
    const { code } = errorOf(await upload(guest, bomb, 'a.png', 'image/png'));
    expect(['too_large', 'unsupported_type']).toContain(code);
  });

  it('that is cut short is refused (UP-2)', async () => {
    const image = await photo();
    const refused = errorOf(await upload(guest, image.subarray(0, image.length / 2), 'a.jpg', 'image/jpeg'));
    expect(refused).toMatchObject({ code: 'unsupported_type', message: TEXTS.files.imageInvalid });
  });

  it('is one of many at once', async () => {
    const image = await photo();
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(guest, image, 'foto.jpg', 'image/jpeg')));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
  }, 60_000);
});
