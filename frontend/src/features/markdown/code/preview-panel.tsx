import { chakra, Spinner } from '@chakra-ui/react';
import { Maximize2, Minimize2, RotateCw, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { ActionButton } from '../../../components/buttons/action-button';
import { OPEN_OVERLAY } from '../../../app/browser/open-overlay';
import { t } from '../../../app/i18n/translate';
import { useShownColorMode } from '../../../app/theme/shown-color-mode';
import { useOnBack } from '../../../components/hooks/use-on-back';
import { useMediaQuery } from '../../../components/hooks/use-media-query';
import { PreviewFrame } from './preview-frame';
import { closePreview, type PreviewKind, usePreview } from './preview-store';

/** From here on the panel stands beside the conversation, which has the code. */
const WIDE = '(min-width: 64rem)';

/** The open preview of a code block: a panel beside the conversation, or the whole screen with a tab for its code. */
export default function PreviewPanel() {
  const preview = usePreview((state) => state.preview);
  return preview && <Panel kind={preview.kind} code={preview.code} block={preview.block} />;
}

interface PanelProps {
  kind: PreviewKind;
  code: string;
  block: Element;
}

function Panel({ kind, code, block }: PanelProps) {
  const isWide = useMediaQuery(WIDE);
  const [isFull, setFull] = useState(false);
  const [showsCode, setShowsCode] = useState(false);
  const [round, setRound] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const isBeside = isWide && !isFull;
  useCloseBehaviour(dialog, isBeside, block);
  useOnBack(closePreview);

  return (
    <Dialog ref={dialog} className="preview-panel" aria-label={t('preview.title')} data-beside={isBeside || undefined}>
      <div className="preview-bar">
        {isBeside ? (
          <h2>{t('preview.title')}</h2>
        ) : (
          <div role="tablist" aria-label={t('preview.title')} onKeyDown={moveFocus}>
            <Tab isSelected={!showsCode} label={t('preview.result')} onSelect={() => setShowsCode(false)} />
            <Tab isSelected={showsCode} label={t('message.code')} onSelect={() => setShowsCode(true)} />
          </div>
        )}
        <ActionButton size="sm" label={t('preview.reload')} onClick={() => setRound(round + 1)}>
          <RotateCw size={16} />
        </ActionButton>
        {isWide && (
          <ActionButton
            size="sm"
            label={isFull ? t('preview.narrow') : t('preview.full')}
            onClick={() => setFull(!isFull)}
          >
            {isFull ? <Minimize2 size={16} /> : <Maximize2 size={16} />}
          </ActionButton>
        )}
        <ActionButton size="sm" label={t('common.close')} onClick={closePreview}>
          <X size={16} />
        </ActionButton>
      </div>
      {/* Kept while its code is shown: a frame that leaves the page starts anew. */}
      <div className="preview-body" hidden={showsCode && !isBeside}>
        <Result key={`${round} ${code}`} kind={kind} code={code} />
      </div>
      {showsCode && !isBeside && (
        <pre className="preview-code" tabIndex={0} aria-label={t('message.code')}>
          {code}
        </pre>
      )}
    </Dialog>
  );
}

/** Shows the element as a modal dialog or beside the page, and gives the focus back when it has closed. */
function useCloseBehaviour(dialog: { current: HTMLDialogElement | null }, isBeside: boolean, block: Element): void {
  useEffect(() => {
    const element = dialog.current!;
    if (isBeside) element.show();
    else element.showModal();
    const cancel = (event: Event) => {
      event.preventDefault();
      closePreview();
    };
    // Before the page's own use of the key, which stops an answer.
    const press = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector(OPEN_OVERLAY)) return;
      event.preventDefault();
      closePreview();
    };
    element.addEventListener('cancel', cancel);
    if (isBeside) window.addEventListener('keydown', press, true);
    return () => {
      element.removeEventListener('cancel', cancel);
      window.removeEventListener('keydown', press, true);
      element.close();
    };
  }, [dialog, isBeside]);
  const origin = useRef(block);
  useEffect(() => {
    origin.current = block;
  });
  useEffect(() => () => origin.current.querySelector<HTMLElement>('[data-preview-button]')?.focus(), []);
}

interface ResultProps {
  kind: PreviewKind;
  code: string;
}

function Result({ kind, code }: ResultProps) {
  const mode = useShownColorMode();
  const [initialMode] = useState(mode);
  const [text, setText] = useState<string | null>();
  useEffect(() => {
    let isLeft = false;
    const draw = async () => (await import('./mermaid-diagram')).drawDiagram(code, initialMode);
    documentOf(kind, code, draw).then(
      (document) => !isLeft && setText(document),
      () => !isLeft && setText(null),
    );
    return () => {
      isLeft = true;
    };
  }, [kind, code, initialMode]);
  if (text === undefined) return <Spinner size="sm" m="4" />;
  if (text === null) return <p>{t('message.diagramFailed')}</p>;
  return <PreviewFrame text={text} onEscape={closePreview} />;
}

/** The arrow keys go to the other tab. */
function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (!/^Arrow(Left|Right)$/.test(key)) return;
  currentTarget.querySelector<HTMLElement>('[aria-selected=false]')?.focus();
}

interface TabProps {
  isSelected: boolean;
  label: string;
  onSelect: () => void;
}

const Tab = ({ isSelected, label, onSelect }: TabProps) => (
  <button
    type="button"
    role="tab"
    aria-selected={isSelected}
    tabIndex={isSelected ? 0 : -1}
    onClick={onSelect}
    onFocus={onSelect}
  >
    {label}
  </button>
);

const Dialog = chakra('dialog', {
  base: {
    display: 'flex',
    flexDirection: 'column',
    position: 'fixed',
    inset: 0,
    width: '100%',
    maxWidth: 'none',
    height: '100dvh',
    maxHeight: 'none',
    margin: 0,
    padding: 0,
    border: 0,
    bg: 'bg.panel',
    color: 'fg',
    '&[data-beside]': {
      position: 'absolute',
      inset: '0 0 0 auto',
      width: '50%',
      height: '100%',
      borderInlineStartWidth: '1px',
      _rtl: { inset: '0 auto 0 0' },
    },
    '& .preview-bar': {
      display: 'flex',
      alignItems: 'center',
      gap: '1',
      minHeight: '12',
      paddingInline: '3',
      borderBottomWidth: '1px',
      flexShrink: 0,
    },
    '& h2, & [role=tablist]': { flex: 1, textStyle: 'sm', fontWeight: '600' },
    '& [role=tablist]': { display: 'flex', gap: '1' },
    '& [role=tab]': { paddingInline: '3', minHeight: '10', borderRadius: 'l2', color: 'fg.muted', cursor: 'pointer' },
    '& [role=tab][aria-selected=true]': { bg: 'bg.emphasized', color: 'fg' },
    // Documents are written for a white page.
    '& .preview-body': { flex: 1, minHeight: 0, bg: 'white', color: 'black' },
    '& .preview-body[hidden]': { display: 'none' },
    '& iframe': { display: 'block', width: '100%', height: '100%', border: 0 },
    '& .preview-code': {
      flex: 1,
      minHeight: 0,
      overflow: 'auto',
      padding: '4',
      fontFamily: 'mono',
      fontSize: 'caption',
      whiteSpace: 'pre-wrap',
      overflowWrap: 'anywhere',
    },
  },
});

const HEAD = '<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width">';

/** A picture that fits the frame. */
const FITTED =
  '<style>html,body{height:100%;margin:0;background:#fff}body{display:grid;place-items:center}svg,img{max-width:100%;max-height:100%}</style>';

/**
 * The document that shows a code block.
 * @param draw draws a diagram and resolves with its address as a picture
 */
async function documentOf(kind: PreviewKind, code: string, draw: (code: string) => Promise<string>): Promise<string> {
  if (kind === 'html') return /^\s*<!doctype/i.test(code) ? code : HEAD + code;
  if (kind === 'svg') return HEAD + FITTED + code;
  return `${HEAD}${FITTED}<img alt="" src="${await draw(code)}">`;
}
