import type { FileNotice } from '@tanya/contract';
import { MAX_SECTIONS, pageLabel, type Section } from '../formats/sections.js';
import type { DocumentText } from './document-text.js';
import type { PagePictures } from './picture-task.js';

/** The sections and notices of a PDF with its pages without text, which are sections too unless they are blank. */
export function withPagePictures(
  { sections, notices, pages, pageNames = [] }: DocumentText,
  { drawn, left }: PagePictures,
): { sections: Section[]; notices: FileNotice[] } {
  const pictures = new Map([
    ...left.map((page): [number, number] => [page, 0]),
    ...drawn.map(({ page, bytes }): [number, number] => [page, bytes]),
  ]);
  const texts = new Map(sections.map(({ label, text }) => [label, text]));
  const all: Section[] = [];
  const last = Math.min(pages ?? 0, MAX_SECTIONS);
  for (let page = 1; page <= last; page += 1) {
    const label = pageLabel(page, pageNames[page - 1]);
    const [text, picture] = [texts.get(label), pictures.get(page)];
    if (text === undefined && picture === undefined) continue;
    all.push({ kind: 'page', label, text: text ?? '', picture });
  }
  // What hangs on the document as a whole follows its pages.
  const others = sections.filter(({ kind }) => kind !== 'page');
  return { sections: [...all, ...others], notices: noticesWith(notices, drawn.length, left.length) };
}

function noticesWith(notices: readonly FileNotice[], drawn: number, left: number): FileNotice[] {
  if (drawn === 0 && notices.some(({ code }) => code === 'no_text_scan')) return [...notices];
  const kept = notices.filter(({ code }) => code !== 'no_text_scan');
  if (drawn > 0) kept.push({ code: 'pages_as_pictures', params: { count: drawn } });
  if (left > 0) kept.push({ code: 'pages_unread', params: { count: left } });
  return kept;
}
