import { memo, useMemo, useState } from 'react';
import { type Block, BlockSplitter, definitionsOf, hasFootnotes } from './blocks';
import { BlockBoundary } from './block-boundary';
import { CodeBlock } from './code-block';
import { TextBlock } from './text-block';

// In one file with what shows the text: whoever sees an answer has it already.
export { plainText } from './plain-text';

interface RenderedMarkdownProps {
  text: string;
  /** More text may come: the last block is open. */
  streaming: boolean;
  scope: string;
}

/** Markdown as elements, block by block; while it grows only the last block is read and rendered again. */
export default function RenderedMarkdown({ text, streaming, scope }: RenderedMarkdownProps) {
  const [splitter] = useState(() => new BlockSplitter());
  const blocks = useMemo(() => joinFootnotes(splitter.split(text), text, streaming), [splitter, text, streaming]);
  const definitions = definitionsOf(blocks).join('\n');
  return blocks.map((block, index) => (
    <RenderedBlock
      key={index}
      block={block}
      definitions={definitions}
      closed={!streaming || index < blocks.length - 1}
      scope={scope}
    />
  ));
}

interface RenderedBlockProps {
  block: Block;
  /** Link definitions of the whole text. */
  definitions: string;
  closed: boolean;
  scope: string;
}

const RenderedBlock = memo(function RenderedBlock({ block, definitions, closed, scope }: RenderedBlockProps) {
  if (block.kind === 'plain') return <p className="plain">{block.source}</p>;
  if (block.kind === 'code') {
    const { code, language } = block;
    return (
      <BlockBoundary fallback={<p className="plain">{code}</p>}>
        <CodeBlock code={code} language={language} closed={closed || block.closed} />
      </BlockBoundary>
    );
  }
  const { source } = block;
  return (
    <BlockBoundary fallback={<p className="plain">{source}</p>}>
      <TextBlock source={source} definitions={neededBy(source, definitions)} closed={closed} scope={scope} />
    </BlockBoundary>
  );
});

/** A finished text with footnotes is rendered as one; until then its references stand as they were written. */
function joinFootnotes(blocks: Block[], text: string, streaming: boolean): Block[] {
  return !streaming && hasFootnotes(blocks) ? [{ kind: 'text', source: text }] : blocks;
}

function neededBy(source: string, definitions: string): string {
  if (definitions === '' || !source.includes('[')) return '';
  const lowerCase = source.toLowerCase();
  return definitions
    .split('\n')
    .filter((definition) => {
      const label = definition.slice(definition.indexOf('['), definition.indexOf(']:') + 1).toLowerCase();
      return lowerCase.includes(label) && !source.includes(definition);
    })
    .join('\n');
}
