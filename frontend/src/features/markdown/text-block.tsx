import { memo, type ComponentProps, type JSX } from 'react';
import ReactMarkdown, { type Components, type ExtraProps, type Options } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import remend from 'remend';
import { CodeBlock } from './code-block';
import { remarkLineBreaks } from './line-breaks';
import { hasMath, unifyMath } from './math-text';
import { MessageImage, MessageLink } from './message-link';
import { useMath } from './use-math';

interface TextBlockProps {
  source: string;
  /** Link definitions that this block needs from elsewhere. */
  definitions: string;
  /** False for the block that may still grow. */
  closed: boolean;
  /** Makes the ids of footnotes differ from message to message. */
  scope: string;
}

const GFM: NonNullable<Options['remarkPlugins']> = [[remarkGfm, { singleTilde: false }], remarkLineBreaks];

function codeOf(node: ExtraProps['node']) {
  const code = node?.children[0];
  if (code?.type !== 'element' || code.tagName !== 'code') return { code: '', language: '' };
  const classes = code.properties.className;
  const language = Array.isArray(classes) ? String(classes[0] ?? '').replace('language-', '') : '';
  const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
  return { code: text.replace(/\n$/, ''), language };
}

function Table({ node: _, ...props }: ComponentProps<'table'> & ExtraProps): JSX.Element {
  return (
    <div className="table-frame" data-block="" role="group" aria-label="Table" tabIndex={0}>
      <table {...props} />
    </div>
  );
}

/** The box of a task list has its text beside it but not in a label. */
function TaskBox({ node: _, ...props }: ComponentProps<'input'> & ExtraProps): JSX.Element {
  return <input {...props} aria-label={props.checked ? 'Done' : 'Not done'} />;
}

const CLOSED: Components = {
  a: MessageLink,
  img: MessageImage,
  table: Table,
  input: TaskBox,
  pre: ({ node }) => <CodeBlock {...codeOf(node)} closed />,
};
const OPEN: Components = { ...CLOSED, pre: ({ node }) => <CodeBlock {...codeOf(node)} closed={false} /> };

/** Addresses are judged where they are shown (message-link.tsx): an image's and a link's rules differ. */
const asIs = (url: string) => url;

/** One block of markdown. Raw HTML in it stays text, but for line breaks. */
export const TextBlock = memo(function TextBlock({ source, definitions, closed, scope }: TextBlockProps) {
  const unified = unifyMath(source);
  const math = useMath(closed && hasMath(unified));
  const text = closed ? unified : remend(source, { linkMode: 'text-only', katex: false, htmlTags: false });
  return (
    <ReactMarkdown
      remarkPlugins={math ? [...GFM, ...math.remarkPlugins] : GFM}
      rehypePlugins={math?.rehypePlugins}
      remarkRehypeOptions={{ clobberPrefix: `${scope}-` }}
      components={closed ? CLOSED : OPEN}
      urlTransform={asIs}
    >
      {definitions ? `${text}\n\n${definitions}` : text}
    </ReactMarkdown>
  );
});
