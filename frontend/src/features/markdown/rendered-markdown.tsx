import { memo, useMemo, useState } from 'react';
import { type Block, BlockSplitter, definitionsOf, hasFootnotes } from './blocks';
import { BlockBoundary } from './block-boundary';
import { CodeBlock } from './code-block';
import { TextBlock } from './text-block';

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
  const definitions = useMemo(() => definitionsOf(blocks), [blocks]);
  return blocks.map((block, index) => (
    <RenderedBlock
      key={index}
      {...flat(block)}
      definitions={needed(block, definitions)}
      closed={!streaming || index < blocks.length - 1}
      scope={scope}
    />
  ));
}

interface RenderedBlockProps {
  kind: Block['kind'];
  source: string;
  language: string;
  fenceClosed: boolean;
  definitions: string;
  closed: boolean;
  scope: string;
}

const RenderedBlock = memo(function RenderedBlock(block: RenderedBlockProps) {
  const { kind, source, language, fenceClosed, definitions, closed, scope } = block;
  const plain = <p className="plain">{source}</p>;
  if (kind === 'plain') return plain;
  return (
    <BlockBoundary fallback={plain}>
      {kind === 'code' ? (
        <CodeBlock code={source} language={language} closed={closed || fenceClosed} />
      ) : (
        <TextBlock source={source} definitions={definitions} closed={closed} scope={scope} />
      )}
    </BlockBoundary>
  );
});

/** Plain properties, so that an unchanged block is recognised although its object is new. */
function flat(block: Block): Pick<RenderedBlockProps, 'kind' | 'source' | 'language' | 'fenceClosed'> {
  if (block.kind !== 'code') return { ...block, language: '', fenceClosed: true };
  return { kind: 'code', source: block.code, language: block.language, fenceClosed: block.closed };
}

/** A finished text with footnotes is rendered as one; until then its references stand as they were written. */
function joinFootnotes(blocks: Block[], text: string, streaming: boolean): Block[] {
  return !streaming && hasFootnotes(blocks) ? [{ kind: 'text', source: text }] : blocks;
}

function needed(block: Block, definitions: readonly string[]): string {
  if (block.kind !== 'text' || definitions.length === 0 || !block.source.includes('[')) return '';
  const source = block.source.toLowerCase();
  return definitions
    .filter((definition) => {
      const label = definition.slice(definition.indexOf('['), definition.indexOf(']:') + 1).toLowerCase();
      return source.includes(label) && !block.source.includes(definition);
    })
    .join('\n');
}
