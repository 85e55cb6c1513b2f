import { chakra, IconButton } from '@chakra-ui/react';
import { WrapText } from 'lucide-react';
import { lazy, memo, Suspense, useState } from 'react';
import { CopyButton } from '../../components/copy-button';
import { useHighlighted } from './use-highlighted';

const MermaidDiagram = lazy(() => import('./mermaid-diagram').then((file) => ({ default: file.MermaidDiagram })));

interface CodeBlockProps {
  code: string;
  language: string;
  /** False while more of it may come: it is neither coloured nor drawn yet. */
  closed: boolean;
}

const Frame = chakra('div', {
  base: {
    borderWidth: '1px',
    borderRadius: 'l3',
    overflow: 'hidden',
    bg: 'bg.subtle',
    '& pre': {
      margin: 0,
      paddingBlock: '3',
      paddingInline: '4',
      overflowX: 'auto',
      fontFamily: 'mono',
      fontSize: 'caption',
      lineHeight: '1.6',
      tabSize: 2,
    },
    '& pre[data-wrap=true]': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
  },
});

const Header = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '1',
    ps: '4',
    pe: '1.5',
    minH: '9',
    borderBottomWidth: '1px',
    color: 'fg.muted',
    textStyle: 'xs',
    fontFamily: 'mono',
  },
});

export const CodeBlock = memo(function CodeBlock({ code, language, closed }: CodeBlockProps) {
  const [wraps, setWraps] = useState(false);
  const coloured = useHighlighted(code, language, closed);
  const plain = (
    <pre data-wrap={wraps} tabIndex={0} aria-label={language ? `Code in ${language}` : 'Code'}>
      <code>{coloured ?? code}</code>
    </pre>
  );
  return (
    <Frame className="code-block" data-block="">
      <Header>
        <chakra.span flex="1" truncate>
          {language || 'text'}
        </chakra.span>
        <IconButton
          variant="ghost"
          size="xs"
          color={wraps ? 'fg.accent' : 'fg.muted'}
          aria-label="Wrap lines"
          title="Wrap lines"
          aria-pressed={wraps}
          onClick={() => setWraps(!wraps)}
        >
          <WrapText size={14} />
        </IconButton>
        <CopyButton label="Copy code" text={() => code} />
      </Header>
      {closed && language.toLowerCase() === 'mermaid' ? (
        <Suspense fallback={plain}>
          <MermaidDiagram source={code} fallback={plain} />
        </Suspense>
      ) : (
        plain
      )}
    </Frame>
  );
});
