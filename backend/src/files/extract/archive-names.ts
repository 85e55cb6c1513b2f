import { createExtractorFromData } from 'node-unrar-js';
import { ExtractionError, type TextCollector } from './extraction.js';
import { zipNames } from './zip-contents.js';

const MAX_NAMES = 1000;

function addNames(names: string[], out: TextCollector): void {
  for (const name of names.slice(0, MAX_NAMES)) out.add(`${name}\n`);
  if (names.length > MAX_NAMES) out.add(`… and ${names.length - MAX_NAMES} more\n`);
}

/** Archives are not unpacked: their text is the list of the file names in them. */
export function readZipNames(bytes: Buffer, out: TextCollector): void {
  addNames(zipNames(bytes), out);
}

export async function readRarNames(bytes: Buffer, out: TextCollector): Promise<void> {
  try {
    const data = new Uint8Array(bytes).buffer;
    const { fileHeaders } = (await createExtractorFromData({ data })).getFileList();
    addNames(
      [...fileHeaders].map(({ name }) => name),
      out,
    );
  } catch {
    throw new ExtractionError('broken');
  }
}
