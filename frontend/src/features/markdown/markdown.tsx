import { lazy, Suspense } from 'react';

const RenderedMarkdown = lazy(() => import('./rendered-markdown'));

/** Fetches the renderer ahead of its first use. */
export function preloadMarkdown(): void {
  // A failed fetch is tried again when the renderer is really needed.
  void import('./rendered-markdown').catch(() => undefined);
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
