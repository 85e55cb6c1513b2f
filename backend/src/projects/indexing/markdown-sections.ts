import { type ProjectSection, trimEndOf } from '@tanya/contract';

type Section = Omit<ProjectSection, 'index'>;

/** Characters of a label, as of other documents. */
const MAX_LABEL = 200;

/** Sections of one file, as of other documents. Later headings are text of the last one. */
const MAX_SECTIONS = 10_000;

const HEADING = /^ {0,3}#{1,6}[ \t]/;

/** The text of a heading without its marks; undefined for another line, and for an empty heading. */
function headingIn(line: string): string | undefined {
  if (!HEADING.test(line)) return undefined;
  const text = line.trim().replace(/^#+/, '').trim();
  const end = trimEndOf(text, '#');
  // Marks at the end count only behind a blank: `C#` is a name.
  const isClosed = end === '' || end !== end.trimEnd();
  return (isClosed ? end.trim() : text) || undefined;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * The sections of a Markdown text: each heading outside of code begins one, whose label is the heading. Text before the
 * first one is a part without a label.
 */
export function markdownSections(text: string): Section[] {
  const sections: Section[] = [];
  let lines: string[] = [];
  let label = '';
  let fence: string | null = null;
  const close = (): void => {
    const body = lines.join('\n').trim();
    if (body !== '' || label !== '') sections.push({ kind: 'part', label, text: body });
    lines = [];
  };
  for (const line of text.split('\n')) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === null || (mark.startsWith(fence) && line.trim() === mark)))
      fence = fence === null ? mark : null;
    const heading = fence === null ? headingIn(line) : undefined;
    if (heading !== undefined && heading.length <= MAX_LABEL && sections.length < MAX_SECTIONS - 1) {
      close();
      label = heading;
    } else lines.push(line);
  }
  close();
  return sections;
}
