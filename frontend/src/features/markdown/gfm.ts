import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

/** Reads tables, struck text, task lists, footnotes and bare addresses. `remark-gfm` also brings the code that writes them. */
export function remarkGfm(this: unknown): void {
  const data = (this as { data: () => Record<string, unknown[] | undefined> }).data();
  (data['micromarkExtensions'] ??= []).push(gfm({ singleTilde: false }));
  (data['fromMarkdownExtensions'] ??= []).push(gfmFromMarkdown());
}
