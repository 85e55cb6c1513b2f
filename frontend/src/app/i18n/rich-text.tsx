import { Fragment, type ReactNode } from 'react';

type Wrap = (text: string) => ReactNode;

/** Renders a text with tags, as in `Send a <code>POST</code> request`. `tags` has an element for each tag. */
export function RichText({ text, tags }: { text: string; tags: Record<string, Wrap> }) {
  const pieces = text.split(/<(\w+)>(.*?)<\/\1>/g);
  // Each match adds two pieces, the tag and its content, to the plain text before it.
  return pieces.map((piece, index) => {
    if (index % 3 === 1) return null;
    const wrap = index % 3 === 2 ? tags[pieces[index - 1] ?? ''] : undefined;
    return <Fragment key={index}>{wrap ? wrap(piece) : piece}</Fragment>;
  });
}
