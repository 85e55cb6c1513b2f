import { Suspense } from 'react';
import { lazyWithPreload } from '../../components/lazy/lazy-with-preload';

const RenderedMarkdown = lazyWithPreload(() => import('./rendered-markdown'));

/** Fetches the renderer ahead of its first use. */
export const preloadMarkdown = RenderedMarkdown.preload;

/** What a text says, without its marks. */
export async function plainText(text: string): Promise<string> {
  return (await import('./rendered-markdown')).plainText(text);
}

interface MarkdownProps {
  text: string;
  streaming: boolean;
  /** Tells messages apart, for the ids inside of them. */
  scope: string;
}

/** The one way that a message's text is shown, while it streams and in history alike; goes inside a MarkdownFrame. */
export function Markdown({ text, streaming, scope }: MarkdownProps) {
  return (
    <Suspense fallback={<p className="plain">{text}</p>}>
      <RenderedMarkdown text={text} streaming={streaming} scope={scope} />
    </Suspense>
  );
}
