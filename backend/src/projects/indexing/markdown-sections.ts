import { type ProjectSection, trimEndOf } from '@tanya/contract';

/** With the level of the heading that is its label, from 1 for the outermost ones. */
type Section = Omit<ProjectSection, 'index'> & { level?: number };

/** Characters of a label, as of other documents. */
export const MAX_LABEL = 200;

/** Sections of one file, as of other documents. Later headings are text of the last one. */
const MAX_SECTIONS = 10_000;

const HEADING = /^ {0,3}(#{1,6})[ \t]/;

/** A heading without its marks; undefined for another line, and for an empty heading. */
function headingIn(line: string): { label: string; level: number } | undefined {
  const level = HEADING.exec(line)?.[1]?.length;
  if (level === undefined) return undefined;
  const text = line.trim().replace(/^#+/, '').trim();
  const end = trimEndOf(text, '#');
  // Marks at the end count only behind a blank: `C#` is a name.
  const isClosed = end === '' || end !== end.trimEnd();
  const label = isClosed ? end.trim() : text;
  return label === '' ? undefined : { label, level };
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The sections of a Markdown text: each heading outside of code begins one, whose label is the heading. Text before the
 * first one is a part without a label.
 */
export function markdownSections(text: string): Section[] {
  const sections: Section[] = [];
  let lines: string[] = [];
  let heading: ReturnType<typeof headingIn>;
  let fence: string | null = null;
  const close = (): void => {
    const body = lines.join('\n').trim();
    if (body !== '' || heading) sections.push({ kind: 'part', label: '', ...heading, text: body });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === null || (mark.startsWith(fence) && line.trim() === mark)))
      fence = fence === null ? mark : null;
    const found = fence === null ? headingIn(line) : undefined;
    if (found !== undefined && found.label.length <= MAX_LABEL && sections.length < MAX_SECTIONS - 1) {
      close();
      heading = found;
    } else lines.push(line);
  }
  close();
  return sections;
}
