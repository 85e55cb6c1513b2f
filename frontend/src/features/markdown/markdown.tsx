import { Suspense } from 'react';
import { lazyWithPreload } from '../../components/lazy/lazy-with-preload';
import type { MarkdownProps } from './rendered-markdown';

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

/** Renders the text of a message, running or final, inside a `MarkdownFrame`. */
export function Markdown(props: MarkdownProps) {
  return (
    <Suspense fallback={<p className="plain">{props.text}</p>}>
      <RenderedMarkdown {...props} />
    </Suspense>
  );
}
