import { memo, useMemo, useState } from 'react';
import { type Block, BlockSplitter, definitionsOf, hasFootnotes } from './blocks';
import { BlockBoundary } from './block-boundary';
import { CodeBlock } from './code/code-block';
import { TextBlock } from './text-block';

/** The link definitions that a part of a text refers to and does not contain itself, one per line. */
function neededDefinitions(source: string, definitions: string): string {
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

// Exported here, so that it is in the chunk that every shown answer has loaded.
export { plainText } from './plain-text';

interface RenderedMarkdownProps {
  text: string;
  /** True while further text may extend the last block. */
  streaming: boolean;
  scope: string;
  sources?: string;
  cut?: boolean;
}

/** Renders Markdown block by block. While the text grows, only its last block is parsed and rendered again. */
export default function RenderedMarkdown({ text, streaming, scope, sources, cut }: RenderedMarkdownProps) {
  const [splitter] = useState(() => new BlockSplitter());
  const blocks = useMemo(() => joinFootnotes(splitter.split(text), text, streaming), [splitter, text, streaming]);
  const definitions = [...definitionsOf(blocks), ...(sources ? [sources] : [])].join('\n');
  return blocks.map((block, index) => (
    <RenderedBlock
      key={index}
      block={block}
      definitions={definitions}
      closed={!streaming || index < blocks.length - 1}
      scope={scope}
      cut={cut && index === blocks.length - 1}
    />
  ));
}

interface RenderedBlockProps {
  block: Block;
  /** The link definitions of the whole text, one per line. */
  definitions: string;
  closed: boolean;
  scope: string;
  cut?: boolean;
}

const RenderedBlock = memo(function RenderedBlock({ block, definitions, closed, scope, cut }: RenderedBlockProps) {
  if (block.kind === 'plain') return <p className="plain">{block.source}</p>;
  if (block.kind === 'code') {
    const { code, language } = block;
    return (
      <BlockBoundary fallback={<p className="plain">{code}</p>}>
        <CodeBlock code={code} language={language} closed={closed || block.closed} />
      </BlockBoundary>
    );
  }
  const { source, list } = block;
  return (
    <BlockBoundary fallback={<p className="plain">{source}</p>}>
      <TextBlock
        source={source}
        definitions={neededDefinitions(source, definitions)}
        closed={closed}
        scope={scope}
        start={list?.start ?? undefined}
        loose={list?.loose}
        cut={cut}
      />
    </BlockBoundary>
  );
});

/** A finished text with footnotes is one block. While it grows, footnote references are shown as text. */
function joinFootnotes(blocks: Block[], text: string, streaming: boolean): Block[] {
  return !streaming && hasFootnotes(blocks) ? [{ kind: 'text', source: text }] : blocks;
}
