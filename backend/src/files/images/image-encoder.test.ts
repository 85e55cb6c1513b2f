import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEXTS } from '@tanya/contract';
import type { Logger } from '../../platform/observability/logging.js';
import { ImageEncoder, type ImageSandbox } from './image-encoder.js';

const errors: unknown[][] = [];
const logger = { error: (...line: unknown[]) => errors.push(line), debug: () => undefined } as unknown as Logger;

const encoderWith = (run: ImageSandbox['run']) =>
  new ImageEncoder(logger, { run, close: () => undefined }, { imageCheck: 0 });

let folder: string;
let path: string;

beforeEach(async () => {
  errors.length = 0;
  folder = await mkdtemp(join(tmpdir(), 'tanya-image-'));
  path = join(folder, 'upload');
  await writeFile(path, 'original');
});

afterEach(() => rm(folder, { recursive: true }));

it('replaces the image by its copy', async () => {
  const encoder = encoderWith(async (task) => {
    expect(task).toMatchObject({ source: path, format: 'jpeg', maxPixels: 100_000_000 });
    await writeFile(task!.target, 'copy');
    return { size: 4 };
  });
  expect(await encoder.reencode(path, 'image/jpeg', 'member')).toBe(4);
  expect(await readFile(path, 'utf8')).toBe('copy');
  expect(await readdir(folder)).toEqual(['upload']);
});

it.each([
  ['an image that cannot be decoded', { problem: 'invalid', reason: 'x' }, 'unsupported_type', 'imageInvalid'],
  ['an image that exhausts its process', { failure: 'exhausted' }, 'unsupported_type', 'imageInvalid'],
  ['an image that crashes its process', { failure: 'crashed', reason: 1 }, 'unsupported_type', 'imageInvalid'],
  ['all images without the library', { problem: 'unavailable', reason: 'x' }, 'internal', 'imageProcess'],
] as const)('refuses %s, and leaves no copy', async (_, result, code, text) => {
  const encoder = encoderWith(async (task) => {
    await writeFile(task!.target, 'half a copy');
    return result;
  });
  await expect(encoder.reencode(path, 'image/png', 'guest')).rejects.toMatchObject({
    code,
    message: TEXTS.files[text],
  });
  expect(await readdir(folder)).toEqual(['upload']);
});

it.each([
  ['guest', 30],
  ['member', 100],
] as const)('names the bound of a %s: %d megapixels (UP-8)', async (sender, limit) => {
  const encoder = encoderWith(async (task) => {
    expect(task).toMatchObject({ maxPixels: limit * 1_000_000 });
    return { problem: 'too-many-pixels', reason: 'x' };
  });
  await expect(encoder.reencode(path, 'image/png', sender)).rejects.toMatchObject({
    code: 'too_large',
    message: `This image has more than ${limit} megapixels. Please make it smaller.`,
    params: { limit, unit: 'megapixels' },
  });
});

it('asks for a retry when too many images wait', async () => {
  const encoder = encoderWith(async () => ({ failure: 'overloaded' }));
  await expect(encoder.reencode(path, 'image/png', 'guest')).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 5,
  });
});

it('logs at the start that the library cannot be loaded', async () => {
  const result = { problem: 'unavailable', reason: 'no build for this platform' } as const;
  const encoder = encoderWith(async () => result);
  encoder.onApplicationBootstrap();
  while (errors.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(errors).toEqual([[{ result }, 'image library failed to load; refusing image uploads']]);
});
