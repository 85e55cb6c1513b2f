import { createContext } from 'react';
import { create } from 'zustand';

export type PreviewKind = 'html' | 'svg' | 'mermaid';

const KINDS: Record<string, PreviewKind> = { html: 'html', htm: 'html', svg: 'svg', mermaid: 'mermaid' };

/** What the preview shows of a code block; null for a language without one. */
export const previewKindOf = (language: string): PreviewKind | null => KINDS[language.toLowerCase()] ?? null;

/** Whether the page around a text has a place for previews. */
export const PreviewContext = createContext(false);

interface Preview {
  kind: PreviewKind;
  code: string;
  /** The element of the code block, which may have left the page since. */
  block: Element;
  /** Its number among the code blocks of its message. */
  index: number;
}

/** The open preview; null while it is closed. */
export const usePreview = create<{ preview: Preview | null }>()(() => ({ preview: null }));

export function openPreview(block: Element, kind: PreviewKind, code: string): void {
  usePreview.setState({ preview: { kind, code, block, index: indexOf(block) } });
}

export function closePreview(): void {
  usePreview.setState({ preview: null });
}

/**
 * Keeps the open preview up with a block that is whole: the same one, or that at its place in the newest message, after the
 * answer was written anew.
 */
export function followBlock(block: Element, kind: PreviewKind, code: string): void {
  const { preview } = usePreview.getState();
  if (preview === null || preview.kind !== kind) return;
  const isSame = preview.block === block;
  const isBack = code === preview.code && indexOf(block) === preview.index;
  const isNext = isNewest(block) && indexOf(block) === preview.index;
  if (isSame || (!preview.block.isConnected && (isBack || isNext))) {
    usePreview.setState({ preview: { ...preview, code, block } });
  }
}

const indexOf = (block: Element): number =>
  [...(block.closest('article')?.querySelectorAll('.code-block') ?? [])].indexOf(block);

const isNewest = (block: Element): boolean =>
  [...document.querySelectorAll('article')].at(-1) === block.closest('article');
