import { Box, Flex, IconButton, Spinner, Text } from '@chakra-ui/react';
import { type DictationResponse, LIMITS } from '@tanya/contract';
import { Check, RotateCcw, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { errorText } from '../../../../app/api/api-error';
import { upload } from '../../../../app/api/upload';
import { t } from '../../../../app/i18n/translate';
import { queryClient } from '../../../../app/queries/query-client';
import { quotaQuery } from '../../../../app/queries/user.query';
import { Select } from '../../../../components/forms/select';
import { insertText } from './insert-text';
import { faultOf, Recording } from './recording';
import { spokenLanguage, spokenLanguages, storeSpokenLanguage } from './spoken-language';

type State =
  | { name: 'asking' | 'recording' }
  | { name: 'writing'; file: File }
  /** With a file it can be sent again. */
  | { name: 'failed'; message: string; file?: File };

interface DictationBarProps {
  /** The field that takes the text, at its caret. */
  field: RefObject<HTMLTextAreaElement | null>;
  setText: (text: string) => void;
  onClose: () => void;
}

/** Records from its first rendering on, and ends with the text of the recording, a cancel or its removal from the page. */
export function DictationBar({ field, setText, onClose }: DictationBarProps) {
  const [state, setState] = useState<State>({ name: 'asking' });
  const [language, setLanguage] = useState(spokenLanguage);
  const recording = useRef<Recording>(null);
  const meter = useRef<HTMLDivElement>(null);
  const done = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    let isLeft = false;
    const showLevel = (level: number) => meter.current?.style.setProperty('transform', `scaleX(${level.toFixed(2)})`);
    const write = (file: File) =>
      setState(file.size > 0 ? { name: 'writing', file } : { name: 'failed', message: t('dictation.silence') });
    Recording.start({ onEnd: write, onLevel: showLevel }).then(
      (started) => {
        recording.current = started;
        if (isLeft) started.cancel();
        else setState({ name: 'recording' });
      },
      (error: unknown) => setState({ name: 'failed', message: t(`dictation.${faultOf(error)}`) }),
    );
    return () => {
      isLeft = true;
      recording.current?.cancel();
    };
  }, []);

  useEffect(() => {
    if (state.name === 'recording') done.current?.focus();
  }, [state.name]);

  const close = () => {
    onClose();
    field.current?.focus();
  };
  const file = state.name === 'writing' ? state.file : null;
  useTranscription(file, language, {
    onText: (words) => {
      const { value, selectionStart, selectionEnd } = field.current!;
      const { text, caret } = insertText(value, selectionStart, selectionEnd, words);
      flushSync(() => setText(text));
      field.current!.setSelectionRange(caret, caret);
      close();
    },
    onFailure: (message, isRepeatable) => setState({ name: 'failed', message, ...(isRepeatable && file && { file }) }),
  });

  const cancelByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
  const choose = (code: string) => {
    setLanguage(code);
    storeSpokenLanguage(code);
  };

  return (
    <Flex
      role="group"
      aria-label={t('dictation.label')}
      align="center"
      gap="2"
      px="2"
      pb="2"
      wrap="wrap"
      onKeyDown={cancelByKey}
    >
      <RoundButton label={t('common.cancel')} onClick={close}>
        <X size={18} />
      </RoundButton>
      {state.name === 'recording' && (
        <>
          <Box aria-hidden width="6rem" height="1.5" borderRadius="full" bg="bg.muted" overflow="hidden" flexShrink="0">
            <Box ref={meter} height="full" bg="jade.solid" transformOrigin="0 50%" transform="scaleX(0)" />
          </Box>
          <Countdown />
        </>
      )}
      <Text role="status" textStyle="sm" color={state.name === 'failed' ? 'fg.error' : 'fg.muted'} flex="1" minW="8rem">
        {state.name === 'failed' ? state.message : t(`dictation.${state.name}`)}
      </Text>
      {state.name === 'writing' && <Spinner size="sm" color="fg.muted" />}
      <Select
        root={{ size: 'xs', width: '9rem' }}
        aria-label={t('dictation.language')}
        value={language}
        onChange={({ target }) => choose(target.value)}
        options={[['', t('dictation.anyLanguage')], ...spokenLanguages()]}
      />
      {state.name === 'failed' && state.file && (
        <RoundButton
          label={t('common.retry')}
          onClick={() => state.file && setState({ name: 'writing', file: state.file })}
        >
          <RotateCcw size={18} />
        </RoundButton>
      )}
      {state.name === 'recording' && (
        <IconButton
          ref={done}
          ms="auto"
          colorPalette="jade"
          size="sm"
          borderRadius="full"
          aria-label={t('dictation.finish')}
          title={t('dictation.finish')}
          onClick={() => recording.current?.stop()}
        >
          <Check size={18} />
        </IconButton>
      )}
    </Flex>
  );
}

interface RoundButtonProps {
  label: string;
  onClick: () => void;
  children: ReactNode;
}

const RoundButton = ({ label, onClick, children }: RoundButtonProps) => (
  <IconButton variant="ghost" size="sm" borderRadius="full" aria-label={label} title={label} onClick={onClick}>
    {children}
  </IconButton>
);

/** The time that is left, each second. */
function Countdown() {
  const [start] = useState(() => performance.now());
  const [seconds, setSeconds] = useState<number>(LIMITS.dictationSeconds);
  useEffect(() => {
    const timer = setInterval(() => {
      const passed = Math.round((performance.now() - start) / 1000);
      setSeconds(Math.max(0, LIMITS.dictationSeconds - passed));
    }, 1000);
    return () => clearInterval(timer);
  }, [start]);
  return (
    <Text as="time" role="timer" textStyle="sm" fontVariantNumeric="tabular-nums" aria-label={t('dictation.left')}>
      {`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`}
    </Text>
  );
}

interface Outcomes {
  onText: (text: string) => void;
  onFailure: (message: string, isRepeatable: boolean) => void;
}

/** Sends a recording once. It is aborted when the bar leaves the page. */
function useTranscription(file: File | null, language: string, outcomes: Outcomes): void {
  const current = useRef({ language, outcomes });
  useEffect(() => {
    current.current = { language, outcomes };
  });
  useEffect(() => {
    if (file === null) return;
    const abort = new AbortController();
    const transcribe = async () => {
      try {
        const fields = { language: current.current.language };
        const path = '/api/chat/transcribe';
        const { text } = await upload<DictationResponse>(file, { path, fields, signal: abort.signal });
        if (abort.signal.aborted) return;
        const { onText, onFailure } = current.current.outcomes;
        if (text === '') return onFailure(t('dictation.silence'), false);
        onText(text);
      } catch (error) {
        if (!abort.signal.aborted) current.current.outcomes.onFailure(errorText(error), true);
      } finally {
        void queryClient.invalidateQueries({ queryKey: quotaQuery.queryKey });
      }
    };
    void transcribe();
    return () => abort.abort();
  }, [file]);
}
