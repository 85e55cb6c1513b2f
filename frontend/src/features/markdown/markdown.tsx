import type { SourcePart } from '@tanya/contract';
import { Suspense } from 'react';
import { lazyWithPreload } from '../../components/lazy/lazy-with-preload';

const RenderedMarkdown = lazyWithPreload(async () => {
  // The smaller parser arrives first and runs in a task of its own.
  const [, renderer] = await Promise.all([import('./plain-text'), import('./rendered-markdown')]);
  return renderer;
});

/** Loads the renderer before its first use. */
export const preloadMarkdown = RenderedMarkdown.preload;

export async function plainText(text: string): Promise<string> {
  return (await import('./rendered-markdown')).plainText(text);
}

const TypedMessage = lazyWithPreload(() => import('./typed-text'));

/** Renders the text of a user as it was typed, with its links and its code, inside a `MarkdownFrame`. */
export function TypedMarkdown({ text }: { text: string }) {
  return (
    <Suspense fallback={<p className="plain">{text}</p>}>
      <TypedMessage text={text} />
    </Suspense>
  );
}

interface MarkdownProps {
  text: string;
  streaming: boolean;
  /** Prefix of the ids in the text, unique per message. */
  scope: string;
  /** The sources that the text cites by their numbers. */
  sources?: readonly SourcePart[];
  /** True if the text was stopped, so that the markers that are open at its end are closed. */
  cut?: boolean;
}

/** Renders the text of a message, running or final, inside a `MarkdownFrame`. */
export function Markdown({ text, streaming, scope, sources, cut }: MarkdownProps) {
  return (
    <Suspense fallback={<p className="plain">{text}</p>}>
      <RenderedMarkdown text={text} streaming={streaming} scope={scope} sources={sources} cut={cut} />
    </Suspense>
  );
}
