import { memo, type ComponentProps, type JSX } from 'react';
import remarkCjkEmphasis from 'remark-cjk-friendly/parseOnly';
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough/parseOnly';
import ReactMarkdown, { type Components, type ExtraProps, type Options } from 'react-markdown';
import { t } from '../../app/i18n/translate';
import { remarkAddresses } from './addresses';
import { CodeBlock } from './code/code-block';
import { languageIn } from './code/languages';
import { remarkCitations } from './citations';
import { type BlockNotes, rehypeNotes, remarkReferences, withNotes } from './footnotes';
import { rehypeAnchors } from './anchors';
import { mayHaveMath } from './math/math-text';
import { closedMarkers } from './meant/closed-markers';
import { remarkMeant } from './meant/meant';
import { MessageImage, MessageLink } from './message-link';
import { useFormulaReader, useMath } from './math/use-math';
import { isLong, usePacedSource } from './paced-source';
import { TableBlock } from './table-block';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { MarkdownNode } from './nodes';

interface TextBlockProps {
  source: string;
  /** Link definitions of other blocks that this block refers to. */
  definitions: string;
  /** False for the block that further text may extend. */
  closed: boolean;
  /** Prefix of the ids of footnotes, unique per message. */
  scope: string;
  /** What the block needs for the footnotes of the whole text. */
  notes?: BlockNotes;
  /** The number of the first item, if the block is a part of a numbered list. */
  start?: number;
  /** Whether the block is a part of a loose list. */
  loose?: boolean;
  /** Whether the text was cut off here, so that its open markers are closed. */
  cut?: boolean;
}

const GFM: NonNullable<Options['remarkPlugins']> = [
  remarkGfm,
  remarkAddresses,
  remarkCjkEmphasis,
  [remarkCjkStrikethrough, { singleTilde: false }],
  remarkCitations,
  remarkReferences,
];

function codeOf(node: ExtraProps['node']) {
  const code = node?.children[0];
  if (code?.type !== 'element' || code.tagName !== 'code') return { code: '', language: '' };
  const classes = code.properties.className;
  const language = Array.isArray(classes) ? languageIn(String(classes[0] ?? '').replace('language-', '')) : '';
  const text = code.children.map((child) => (child.type === 'text' ? child.value : '')).join('');
  return { code: text.replace(/\n$/, ''), language };
}

/** The checkbox of a task list. Its text is beside it and not in a label. */
function TaskBox({ node: _, ...props }: ComponentProps<'input'> & ExtraProps): JSX.Element {
  return <input {...props} aria-label={props.checked ? t('message.done') : t('message.notDone')} />;
}

const CLOSED: Components = {
  a: MessageLink,
  img: MessageImage,
  table: TableBlock,
  input: TaskBox,
  pre: ({ node }) => <CodeBlock {...codeOf(node)} closed />,
};
const OPEN: Components = { ...CLOSED, pre: ({ node }) => <CodeBlock {...codeOf(node)} closed={false} /> };

/** Addresses are checked where they are rendered (message-link.tsx), because links and images have different rules. */
const keepUrl = (url: string) => url;

/** One block of Markdown. Raw HTML stays text, except the tags of tags.ts. A long one is rendered at intervals while it grows. */
export const TextBlock = memo(function TextBlock(props: TextBlockProps) {
  const source = usePacedSource(props.source, !props.closed && isLong(props.source));
  return <RenderedBlock {...props} source={source} />;
});

const RenderedBlock = memo(function RenderedBlock(props: TextBlockProps) {
  const { source, definitions, closed, scope, notes, start, loose, cut } = props;
  const formulas = useFormulaReader(mayHaveMath(source));
  const whole = closed && cut ? closedMarkers(formulas?.cutAsCode(source) ?? source) : source;
  const unified = formulas?.unifyMath(whole, !closed) ?? whole;
  const math = useMath(formulas?.hasMath(unified) ?? false);
  const open = () => formulas?.betweenFormulas(unified, closedMarkers) ?? closedMarkers(unified);
  const written = closed ? unified : open();
  const text = withNotes(math ? written : (formulas?.formulasAsCode(written) ?? written), notes);
  return (
    <ReactMarkdown
      remarkPlugins={[
        ...GFM,
        [remarkMeant, { isOpen: !closed }],
        [remarkListPart, { start, loose }],
        ...(math?.remarkPlugins ?? []),
      ]}
      rehypePlugins={[[rehypeNotes, notes], [rehypeAnchors, scope], ...(math?.rehypePlugins ?? [])]}
      remarkRehypeOptions={{ clobberPrefix: `${scope}-` }}
      components={closed ? CLOSED : OPEN}
      urlTransform={keepUrl}
    >
      {definitions ? `${text}\n\n${definitions}` : text}
    </ReactMarkdown>
  );
});

/** Reads tables, struck text, task lists, footnotes and bare addresses. `remark-gfm` also brings the code that writes them. */
function remarkGfm(this: unknown): void {
  const data = (this as { data: () => Record<string, unknown[] | undefined> }).data();
  (data['micromarkExtensions'] ??= []).push(gfm({ singleTilde: false }));
  (data['fromMarkdownExtensions'] ??= []).push(gfmFromMarkdown());
}

/** Gives a list that is a part of a longer one the number of its first item, and the spacing of the whole list. */
function remarkListPart({ start, loose }: { start?: number; loose?: boolean }) {
  return ({ children: [list] = [] }: MarkdownNode) => {
    if (list?.type !== 'list') return;
    if (start !== undefined) list.start = start;
    if (loose) list.spread = true;
  };
}
