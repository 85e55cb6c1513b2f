import { createExtractorFromData } from 'node-unrar-js';
import { ExtractionError, type SectionCollector } from './sections.js';

const MAX_NAMES = 1000;

/** Archives are not unpacked: their text is the list of the file names in them. */
export function addNames(names: string[], out: SectionCollector): void {
  for (const name of names.slice(0, MAX_NAMES)) out.add(`${name}\n`);
  if (names.length > MAX_NAMES) out.add(`… and ${names.length - MAX_NAMES} more\n`);
}

export async function readRarNames(bytes: Buffer, out: SectionCollector): Promise<void> {
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
