import type { Passage } from '../tools/tool.js';

interface Place extends Omit<Passage, 'url' | 'section'> {
  /** Of the section. */
  index: number;
}

/** A passage of a file, whose address shows it in its document. */
export const passageOf = (projectId: number, { index, ...place }: Place): Passage => ({
  ...place,
  section: index,
  url: `/projects/${projectId}/files/${place.fileId}?section=${index}`,
});
