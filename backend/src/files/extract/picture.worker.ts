import { open, readFile } from 'node:fs/promises';
import { serveTasks } from '../../platform/sandbox/sandbox-worker.js';
import { type DrawnPage, PdfPictures } from '../formats/pdf/pdf-pictures.js';
import type { PagePictures, PictureResult, PictureTask } from './picture-task.js';

/** Pixels of the longer side: models scale larger pictures down. */
const SIDE = 1_600;

/** Time after which no further page is looked at, ms. */
const DRAWING_MS = 15_000;

/** Small print stays readable. */
const QUALITY = 80;

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const loadSharp = async () => (await import('sharp')).default;

async function run(task: PictureTask): Promise<PictureResult> {
  // sharp is a native library: the import fails on machines without a build for their platform.
  const sharp = await loadSharp().catch((error: unknown) => reasonOf(error));
  if (typeof sharp === 'string') return { problem: 'unavailable', reason: sharp };
  sharp.concurrency(1);
  sharp.cache(false);
  // It gets pixels alone.
  sharp.block({ operation: ['VipsForeignLoad'] });
  let pdf: PdfPictures;
  try {
    pdf = await PdfPictures.open(await readFile(task.path), SIDE);
  } catch (error) {
    return { problem: 'unreadable', reason: reasonOf(error) };
  }
  const toJpeg = ({ pixels, width, height }: DrawnPage): Promise<Buffer> =>
    sharp(pixels, { raw: { width, height, channels: 4 } })
      .removeAlpha()
      .jpeg({ quality: QUALITY })
      .toBuffer();
  return drawAll(pdf, task, toJpeg);
}

async function drawAll(
  pdf: PdfPictures,
  { target, pages, most, withWords }: PictureTask,
  encode: (page: DrawnPage) => Promise<Buffer>,
): Promise<PagePictures> {
  const result: PagePictures = { drawn: [], left: [] };
  const file = await open(target, 'wx', 0o600);
  const end = performance.now() + DRAWING_MS;
  for (const page of pages) {
    const isLate = performance.now() > end;
    if (!isLate && !pdf.hasObjects(page)) continue;
    if (isLate || result.drawn.length === most) {
      result.left.push(page);
      continue;
    }
    const drawn = pdf.draw(page);
    if (drawn === null) continue;
    const picture = await encode(drawn);
    await file.write(picture);
    const { width, height } = drawn;
    const words = withWords ? { words: pdf.words(page) } : {};
    result.drawn.push({ page, bytes: picture.length, width, height, ...words });
  }
  await file.sync();
  await file.close();
  return result;
}

serveTasks(run);
