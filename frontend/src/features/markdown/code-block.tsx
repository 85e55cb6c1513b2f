import { IconButton } from '@chakra-ui/react';
import { WrapText } from 'lucide-react';
import { memo, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { CopyButton } from '../../components/buttons/copy-button';
import { lazyWithPreload } from '../../components/lazy/lazy-with-preload';
import { useHighlighted } from './use-highlighted';

const MermaidDiagram = lazyWithPreload(async () => ({ default: (await import('./mermaid-diagram')).MermaidDiagram }));

interface CodeBlockProps {
  code: string;
  language: string;
  /** False while more of it may come: it is neither coloured nor drawn yet. */
  closed: boolean;
}

/** Plain elements, which MarkdownFrame gives their look: an open block renders with every piece of its text. */
export const CodeBlock = memo(function CodeBlock({ code, language, closed }: CodeBlockProps) {
  const [wraps, setWraps] = useState(false);
  const coloured = useHighlighted(code, language, closed);
  const latest = useRef(code);
  useEffect(() => {
    latest.current = code;
  });
  const toggle = useCallback(() => setWraps((before) => !before), []);
  const currentCode = useCallback(() => latest.current, []);
  const plain = (
    <pre data-wrap={wraps} tabIndex={0} aria-label={language ? `Code in ${language}` : 'Code'}>
      <code>{coloured ?? <PlainCode code={code} />}</code>
    </pre>
  );
  return (
    <div className="code-block" data-block="">
      <CodeHeader language={language} wraps={wraps} onWrap={toggle} code={currentCode} />
      {closed && language.toLowerCase() === 'mermaid' ? (
        <Suspense fallback={plain}>
          <MermaidDiagram source={code} fallback={plain} />
        </Suspense>
      ) : (
        plain
      )}
    </div>
  );
});

/** So many lines are laid out together. */
const GROUP_LINES = 20;

/** Code in groups of lines: while it grows the browser arranges and paints only the last of them anew. */
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
  language: string;
  wraps: boolean;
  onWrap: () => void;
  code: () => string;
}

const CodeHeader = memo(function CodeHeader({ language, wraps, onWrap, code }: CodeHeaderProps) {
  return (
    <div className="code-header">
      <span>{language || 'text'}</span>
      <IconButton
        variant="ghost"
        size="xs"
        color={wraps ? 'fg.accent' : 'fg.muted'}
        aria-label="Wrap lines"
        title="Wrap lines"
        aria-pressed={wraps}
        onClick={onWrap}
      >
        <WrapText size={14} />
      </IconButton>
      <CopyButton label="Copy code" text={code} />
    </div>
  );
});
