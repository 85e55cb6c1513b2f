import type { SourcePart } from '@tanya/contract';
import { Component, type ComponentProps, memo, type ReactNode, useMemo, useState } from 'react';
import { type Block, BlockSplitter, definitionsOf } from './blocks';
import { sourceDefinitions } from './citations';
import { CodeBlock } from './code/code-block';
import { type BlockNotes, noteBlocks } from './footnotes';
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

export interface MarkdownProps {
  text: string;
  /** True while further text may extend the last block. */
  streaming: boolean;
  /** Prefix of the ids in the text, unique per message. */
  scope: string;
  /** The sources that the text cites by their numbers. */
  sources?: readonly SourcePart[];
  /** True if the text was stopped, so that the markers that are open at its end are closed. */
  cut?: boolean;
}

/** Renders Markdown block by block. While the text grows, only its last block is parsed and rendered again. */
export default function RenderedMarkdown({ text, streaming, scope, sources, cut }: MarkdownProps) {
  const [splitter] = useState(() => new BlockSplitter());
  const blocks = useMemo(() => splitter.split(text, !streaming), [splitter, text, streaming]);
  // While the text grows, references to footnotes are shown as text.
  const noted = useMemo(
    () => (streaming ? blocks.map((block) => ({ block })) : noteBlocks(blocks)),
    [blocks, streaming],
  );
  const cited = useMemo(() => (sources?.length ? [sourceDefinitions(sources)] : []), [sources]);
  // The first definition of a label holds: a number that is a source stays one.
  const definitions = [...cited, ...definitionsOf(blocks)].join('\n');
  return noted.map(({ block, notes }: { block: Block; notes?: BlockNotes }, index) => (
    <RenderedBlock
      key={index}
      block={block}
      notes={notes}
      definitions={definitions}
      closed={!streaming || index < noted.length - 1}
      scope={scope}
      cut={cut && index === noted.length - 1}
    />
  ));
}

interface RenderedBlockProps extends Pick<
  ComponentProps<typeof TextBlock>,
  'notes' | 'definitions' | 'closed' | 'scope' | 'cut'
> {
  block: Block;
}

const RenderedBlock = memo(function RenderedBlock(props: RenderedBlockProps) {
  const { block, notes, definitions, closed, scope, cut } = props;
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
        notes={notes}
        start={list?.start ?? undefined}
        loose={list?.loose}
        cut={cut}
      />
    </BlockBoundary>
  );
});

interface BlockBoundaryProps {
  fallback: ReactNode;
  children: ReactNode;
}

/** Error boundary of one block: a block that fails to render, such as by deep nesting, shows its source. */
class BlockBoundary extends Component<BlockBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
