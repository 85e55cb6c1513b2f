import { lazy, Suspense } from 'react';

const RenderedMarkdown = lazy(() => import('./rendered-markdown'));

/** Fetches the renderer ahead of its first use, once the page has nothing better to do; returns the way to call it off. */
export function preloadMarkdown(): () => void {
  // A failed fetch is tried again when the renderer is really needed.
  const load = () => void import('./rendered-markdown').catch(() => undefined);
  const timer = setTimeout(load, PRELOAD_DELAY_MS);
  return () => clearTimeout(timer);
}

/** After the first screen, before anybody has written their first message. */
const PRELOAD_DELAY_MS = 800;

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
