import type { Passage } from '../tools/tool.js';

interface Place {
  fileId: string;
  name: string;
  /** Index of the section. */
  index: number;
  label: string;
  /** Of the text in the section. */
  start: number;
  text: string;
}

/** A passage of a file, whose address shows it in its document. */
export const passageOf = (projectId: number, { index, ...place }: Place): Passage => ({
  ...place,
  section: index,
  url: `/projects/${projectId}/files/${place.fileId}?section=${index}`,
});
