import type { SourceFile } from '../source-conversation.js';

/** Longer addresses are not needed: what is missing in the export is only counted. */
const MAX_ADDRESS = 1_000;

/** A file that a message names and that the export does not have. */
export const missingFile = (id: string, name = ''): SourceFile => ({
  name,
  type: '',
  source: { assetId: `missing:${id.slice(0, MAX_ADDRESS)}` },
});

/** The file of an address: its contents in a data URL, else one that is missing in the export. */
export const fileAt = (url: string, name = ''): SourceFile =>
  url.startsWith('data:')
    ? { name, type: /^data:([\w.+-]+\/[\w.+-]+)/.exec(url)?.[1] ?? '', source: { dataUrl: url } }
    : missingFile(url, name);
