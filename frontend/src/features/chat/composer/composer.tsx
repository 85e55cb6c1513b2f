import { Box, chakra, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useRef,
  type RefObject,
  useLayoutEffect,
  useState,
} from 'react';
import { t } from '../../../app/i18n/translate';
import { COMPOSER_FIELD, focusableComposer } from '../../../app/browser/composer-field';
import { isComposing } from '../../../app/browser/is-composing';
import { onCommand } from '../../../app/state/commands';
import { joinTexts } from '../../../app/storage/drafts';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { pastedFiles } from '../../../components/files/pasted-files';
import { lazyWhenIdle } from '../../../components/lazy/lazy-when-idle';
import { boundedText, isTooLong, TextLength } from '../shared/bounded-text';
import { AttachButton, SendButton, StopButton } from './composer-buttons';
import type { ConversationKey } from '../client/outbox-store';
import { handleEnter } from '../shared/handle-enter';
import { storedFiles } from './attachment';
import type { Attachments } from './use-attachments';
import { useDraft } from './use-draft';
import { type ComposedMessage, isEmpty } from '../shared/message-content';

/**
 * Fits the height of the field to its text where the browser has no `field-sizing`; its style has the maximum.
 * @param text null: the style has the height
 */
function useFieldHeight(field: RefObject<HTMLTextAreaElement | null>, text: string | null): void {
  useLayoutEffect(() => {
    if (field.current === null || CSS.supports('field-sizing', 'content')) return;
    const { style } = field.current;
    // Without a height first: the field would never shrink.
    style.height = '';
    if (text !== null) style.height = `${field.current.scrollHeight}px`;
  }, [field, text]);
}

const DenyAndSend = lazyWithPreload(() => import('./deny-and-send'));
const Dictation = lazyWhenIdle(() => import('./dictation/dictation'));
const AttachmentChips = lazyWithPreload(() => import('./attachment-chips'));

/** Loads the code of the attachment chips before the first attachment. */
export const preloadAttachmentChips = AttachmentChips.preload;

interface ComposerProps {
  conversation: ConversationKey;
  attachments: Attachments;
  /** A send awaits its ack: the field is disabled. */
  isSending: boolean;
  /** The answer that runs or waits for approvals: a message is sent after it. */
  answering: string | null;
  onSend: (message: ComposedMessage) => void;
  onStop: () => void;
  /** Arrow-up in the empty field. @returns whether a message is edited now */
  onEditLast: () => boolean;
  /** Shown below the field at the left. */
  status: ReactNode;
}

const isArrowUp = (event: KeyboardEvent): boolean =>
  event.key === 'ArrowUp' &&
  !(event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) &&
  !isComposing(event.nativeEvent);

export function Composer(props: ComposerProps) {
  const { conversation, attachments, isSending, answering, onSend, onStop, onEditLast, status } = props;
  const { text, setText, clear } = useDraft(conversation);
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useFieldFocus(field, isSending);
  const tooLong = isTooLong(text);
  useFieldHeight(field, tooLong ? null : text);

  const message = { text, files: storedFiles(attachments.list) };
  const bounded = boundedText(text, setText, `${id}-length`, attachments.addText);
  /** Why the attachments keep the message from being sent. */
  const waiting = attachments.hasFailed
    ? t('composer.retryOrRemove')
    : attachments.isUploading
      ? t('composer.waitsForUpload')
      : '';
  const [dictatedIn, dictateIn] = useState<ConversationKey | null>(null);
  const isDictating = dictatedIn === conversation;
  const isReady = !isSending && !isDictating && !tooLong && waiting === '' && !isEmpty(message);

  const queued = useRef<string>(undefined);
  const fingerprint = attachments.list.reduce((all, { id, error }) => `${all} ${id} ${error}`, text);

  const send = () => {
    onSend(message);
    clear();
    attachments.clear();
  };
  const submit = () => {
    if (attachments.isUploading) queued.current = fingerprint;
    // While an answer is written, the message is sent after it.
    if (isReady) send();
  };
  useEffect(() => {
    if (attachments.isUploading) return;
    const isUnchanged = queued.current === fingerprint;
    queued.current = undefined;
    // A failed upload or an edit since Enter changes the fingerprint; the message is then not sent.
    if (isUnchanged) submit();
  });
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isArrowUp(event) && isEmpty(message) && onEditLast()) event.preventDefault();
    handleEnter(event, setText, submit);
  };
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const files = pastedFiles(event.clipboardData);
    if (files.length === 0) return bounded.onPaste(event);
    event.preventDefault();
    attachments.add(files);
  };

  return (
    <Box
      // Its layout in low windows: base.css.
      className="composer"
      borderWidth="1px"
      borderColor="border.emphasized"
      borderRadius="bubble"
      bg="bg.panel"
      transition="border-color 120ms ease-out"
      _focusWithin={{ borderColor: 'jade.focusRing' }}
    >
      <Suspense>
        {attachments.list.length > 0 && (
          <AttachmentChips attachments={attachments} onInsert={(pasted) => setText(joinTexts(text, pasted))} />
        )}
      </Suspense>
      <VisuallyHidden asChild>
        <label htmlFor={id}>{t('composer.label')}</label>
      </VisuallyHidden>
      <Field
        ref={field}
        id={id}
        {...COMPOSER_FIELD}
        {...bounded}
        rows={1}
        // Fixed for a long text, because field sizing measures all of it at every key.
        css={tooLong ? { fieldSizing: 'fixed', height: '40dvh' } : undefined}
        disabled={isSending}
        placeholder={t('composer.placeholder')}
        onKeyDown={press}
        onPaste={paste}
      />
      <Suspense>
        {isDictating && <Dictation field={field} setText={setText} onClose={() => dictateIn(null)} />}
      </Suspense>
      <Flex className="composer-tools" align="flex-end" gap="1" px="2" pb="2">
        <AttachButton disabled={isSending} onFiles={attachments.add} />
        <Flex
          className="composer-status"
          flex="1"
          minW="0"
          align="center"
          alignContent="center"
          columnGap="2"
          wrap={{ base: 'wrap', md: 'nowrap' }}
        >
          {status}
          {/* On phones it has a line of its own, because one line has no room for it. */}
          <Text
            role="status"
            textStyle="xs"
            color="fg.muted"
            flexBasis={{ base: '100%', md: 'auto' }}
            order={{ base: -1, md: 0 }}
            ps={{ base: 0, md: 1 }}
            truncate={{ base: false, md: true }}
          >
            {waiting}
          </Text>
          <TextLength id={`${id}-length`} text={text} />
        </Flex>
        {/* At the end, where it moves nothing when it appears. */}
        <Suspense>
          {'MediaRecorder' in window && (
            <Dictation disabled={isSending || isDictating} onStart={() => dictateIn(conversation)} />
          )}
        </Suspense>
        {answering !== null ? (
          <>
            <Suspense>
              {isReady && <DenyAndSend generationId={answering} message={fingerprint} onSend={send} />}
            </Suspense>
            <StopButton onStop={onStop} />
          </>
        ) : (
          <SendButton disabled={!isReady} disabledReason={waiting || undefined} isSending={isSending} onSend={submit} />
        )}
      </Flex>
    </Box>
  );
}

const Field = chakra('textarea', {
  base: {
    display: 'block',
    width: '100%',
    resize: 'none',
    bg: 'transparent',
    outline: 'none',
    paddingInline: '4',
    paddingTop: '3',
    paddingBottom: '1.5',
    // At least 16 px: phones zoom into a smaller field.
    fontSize: 'md',
    lineHeight: '1.5',
    minHeight: '12',
    maxHeight: '40dvh',
    fieldSizing: 'content',
    overflowY: 'auto',
    _disabled: { opacity: 0.6, cursor: 'default' },
  },
});

/** Focuses the field of a new or opened conversation and after each ack, except on touch devices, and on the command. */
function useFieldFocus(field: React.RefObject<HTMLTextAreaElement | null>, isSending: boolean) {
  const isOpening = useRef(true);
  const wasSending = useRef(true);
  useEffect(() => {
    const becameFree = wasSending.current && !isSending;
    wasSending.current = isSending;
    // A conversation is opened by a button or a link, which has the focus then. An ack must not take the focus from it.
    const isElsewhere = isOpening.current ? isInUse(document.activeElement) : hasFocus(document.activeElement);
    if (!isSending) isOpening.current = false;
    if (becameFree && !isElsewhere) focusableComposer()?.focus();
  }, [isSending]);
  useEffect(() => onCommand('focus-composer', () => field.current?.focus()), [field]);
}

function hasFocus(element: Element | null): boolean {
  return element !== null && element !== document.body;
}

function isInUse(element: Element | null): boolean {
  return Boolean(element?.closest('input, textarea, select, [role=dialog], [role=alertdialog], [role=menu]'));
}
