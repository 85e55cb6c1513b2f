import { Code, Play, Workflow, WrapText } from 'lucide-react';
import { memo, Suspense, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { ActionButton } from '../../../components/buttons/action-button';
import { t } from '../../../app/i18n/translate';
import { CopyButton } from '../../../components/buttons/copy-button';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { languageName } from './languages';
import { followBlock, openPreview, PreviewContext, previewKindOf } from './preview-store';
import { useHighlighted } from './use-highlighted';

const MermaidDiagram = lazyWithPreload(async () => ({ default: (await import('./mermaid-diagram')).MermaidDiagram }));

interface CodeBlockProps {
  code: string;
  language: string;
  /** False while further text may extend the block; a diagram is not drawn then. */
  closed: boolean;
}

/** Plain elements, styled by `MarkdownFrame`, because an open block renders at every update. */
export const CodeBlock = memo(function CodeBlock({ code, language, closed }: CodeBlockProps) {
  const [isWrapped, setWrapped] = useState(false);
  const [isSource, setSource] = useState(false);
  const name = languageName(language);
  const isDiagram = closed && language.toLowerCase() === 'mermaid';
  const highlighted = useHighlighted(code, language, closed);
  const latest = useRef(code);
  useEffect(() => {
    latest.current = code;
  });
  const toggle = useCallback(() => setWrapped((before) => !before), []);
  const toggleSource = useCallback(() => setSource((before) => !before), []);
  const currentCode = useCallback(() => latest.current, []);
  const plain = (
    <pre
      data-wrap={isWrapped}
      tabIndex={0}
      aria-label={name ? t('message.codeIn', { language: name }) : t('message.code')}
    >
      <code>{highlighted ?? <PlainCode code={code} />}</code>
    </pre>
  );
  const kind = closed ? previewKindOf(language) : null;
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (kind !== null) followBlock(block.current!, kind, code);
  }, [kind, code]);
  const preview = useCallback(() => kind !== null && openPreview(block.current!, kind, latest.current), [kind]);
  const hasPreview = useContext(PreviewContext) && kind !== null;
  return (
    <div ref={block} className="code-block">
      <CodeHeader
        onPreview={hasPreview ? preview : undefined}
        name={name}
        isWrapped={isWrapped}
        onWrap={toggle}
        code={currentCode}
        isSource={isSource}
        onSource={isDiagram ? toggleSource : undefined}
      />
      {isDiagram && !isSource ? (
        <Suspense fallback={<div aria-busy>{plain}</div>}>
          <MermaidDiagram source={code} fallback={plain} />
        </Suspense>
      ) : (
        plain
      )}
    </div>
  );
});

/** Lines per layout group. */
const GROUP_LINES = 20;

/** Code in groups of lines, so that the browser lays out and paints only the last group while the code grows. */
function PlainCode({ code }: { code: string }) {
  const lines = code.split('\n');
  const groups = Array.from({ length: Math.ceil(lines.length / GROUP_LINES) }, (_, index) =>
    lines.slice(index * GROUP_LINES, (index + 1) * GROUP_LINES).join('\n'),
  );
  return groups.map((group, index) => (
    <span key={index} className="code-lines">
      {index < groups.length - 1 ? `${group}\n` : group}
    </span>
  ));
}

interface CodeHeaderProps {
  /** The name of the language; without one the header is only its buttons, over the code. */
  name: string | null;
  isWrapped: boolean;
  onWrap: () => void;
  code: () => string;
  isSource: boolean;
  /** Opens the preview; absent for code without one. */
  onPreview: (() => void) | undefined;
  /** Switches between a diagram and its source; absent for code. */
  onSource: (() => void) | undefined;
}

const CodeHeader = memo(function CodeHeader(props: CodeHeaderProps) {
  const { name, isWrapped, onWrap, code, isSource, onPreview, onSource } = props;
  const sourceLabel = isSource ? t('message.showDiagram') : t('message.showSource');
  return (
    <div className="code-header" data-plain={name === null ? '' : undefined}>
      {name !== null && <span>{name}</span>}
      {onPreview && (
        <ActionButton label={t('preview.open')} data-preview-button="" onClick={onPreview}>
          <Play size={14} />
        </ActionButton>
      )}
      {onSource && (
        <ActionButton label={sourceLabel} onClick={onSource}>
          {isSource ? <Workflow size={14} /> : <Code size={14} />}
        </ActionButton>
      )}
      {(!onSource || isSource) && (
        <ActionButton
          label={t('message.wrap')}
          color={isWrapped ? 'fg.accent' : 'fg.muted'}
          aria-pressed={isWrapped}
          onClick={onWrap}
        >
          <WrapText size={14} />
        </ActionButton>
      )}
      <CopyButton label={t('message.copyCode')} text={code} />
    </div>
  );
});
