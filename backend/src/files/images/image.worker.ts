import { readFile, writeFile } from 'node:fs/promises';
import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import type { ImageResult, ImageTask } from './image-task.js';
import { TooManyPixels } from './too-many-pixels.js';

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function run(task: ImageTask): Promise<ImageResult> {
  // sharp is a native library: the import fails on machines without a build for their platform.
  const library = await import('./reencode-image.js').catch((error: unknown) => reasonOf(error));
  if (typeof library === 'string') return { problem: 'unavailable', reason: library };
  if (task === null) return { size: 0 };
  const bytes = await readFile(task.source);
  let encoded: Buffer;
  try {
    encoded = await library.reencodeImage(bytes, task.format, task.maxPixels);
  } catch (error) {
    const problem = error instanceof TooManyPixels ? 'too-many-pixels' : 'invalid';
    return { problem, reason: reasonOf(error) };
  }
  await writeFile(task.target, encoded, { mode: 0o600, flag: 'wx', flush: true });
  return { size: encoded.length };
}

serveTasks(run);
