import { Box, chakra, Text } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { readStoredJson, writeStored } from '../../../app/storage/stored';
import { Markdown } from '../../markdown/markdown';
import { MarkdownFrame } from '../../markdown/markdown-frame';

interface ReasoningProps {
  text: string;
  isThinking: boolean;
  /** Prefix of the ids in the text, unique per message. */
  scope: string;
}

const SMALL_HEADINGS = { '& :is(h1, h2, h3, h4, h5, h6)': { fontSize: 'sm' } };

/** The reasoning of the model, collapsed above its answer. Its last line is shown while the model thinks. */
export function Reasoning({ text, isThinking, scope }: ReasoningProps) {
  const seconds = useThinkingSeconds(scope, text, isThinking);
  const [isOpen, setOpen] = useState(false);
  if (!text) return null;
  return (
    <chakra.details
      mb="1"
      color="fg.muted"
      textStyle="sm"
      onToggle={({ currentTarget: { open } }) => setOpen(open)}
      css={{ '&[open] > summary svg': { transform: 'rotate(90deg)' } }}
    >
      <chakra.summary
        display="flex"
        alignItems="center"
        gap="1"
        width="fit-content"
        maxW="100%"
        cursor="pointer"
        listStyle="none"
        borderRadius="l1"
        minH={{ base: '10', md: '6' }}
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
      >
        <ChevronRight size={14} aria-hidden style={{ flexShrink: 0 }} />
        <chakra.span flexShrink={0}>{isThinking ? t('message.reasoningNow') : labelOf(seconds)}</chakra.span>
        {isThinking && !isOpen && (
          // It changes with each word, which a screen reader must not announce.
          <Text as="span" aria-hidden dir="auto" truncate color="fg.subtle" ms="1" data-last-line>
            {lastLine(text)}
          </Text>
        )}
      </chakra.summary>
      <Box mt="1" ps="3" borderStartWidth="2px" maxH="20rem" overflowY="auto">
        <MarkdownFrame dir="auto" textStyle="sm" css={SMALL_HEADINGS}>
          <Markdown text={text} streaming={isThinking} scope={scope} />
        </MarkdownFrame>
      </Box>
    </chakra.details>
  );
}

/** Characters of the line that is shown. */
const LINE_LENGTH = 90;

/** The end of the last line, from the beginning of a word, without marks of emphasis and headings. */
function lastLine(text: string): string {
  const line = text
    .slice(-500)
    .trimEnd()
    .split('\n')
    .at(-1)!
    .replace(/[*_`]+|^[#>\s-]+/g, '');
  return line.length <= LINE_LENGTH ? line : `…${line.slice(-LINE_LENGTH).replace(/^\S{0,24}\s/, '')}`;
}

function labelOf(seconds: number | null): string {
  if (seconds === null) return t('message.reasoning');
  const shown = Math.max(1, seconds);
  if (shown < 60) return t('message.thought', { seconds: shown });
  return t('message.thoughtLong', { minutes: Math.floor(shown / 60), seconds: shown % 60 });
}

const STORED = 'tanya.thinking-times';
/** Number of answers whose time is kept. */
const STORED_MAX = 200;
/** A reasoning that is longer when it is first seen began before that, such as before a reload. */
const BEGINNING = 400;

/** The stored times in seconds, by scope; kept for the time of the tab. */
const storedTimes = (): Record<string, number> => readStoredJson(STORED, 'tab') ?? {};

function storeTime(scope: string, seconds: number): void {
  const times = Object.entries({ ...storedTimes(), [scope]: seconds }).slice(-STORED_MAX);
  writeStored(STORED, JSON.stringify(Object.fromEntries(times)), 'tab');
}

/** How long the model has thought, from the first to the last word that this page saw; null if it did not see them all. */
function useThinkingSeconds(scope: string, text: string, isThinking: boolean): number | null {
  const [startedAt, setStartedAt] = useState<number | null>(null);
  const [seconds, setSeconds] = useState<number | null>(() => storedTimes()[scope] ?? null);
  const isBeginning = isThinking && startedAt === null && text !== '' && text.length < BEGINNING;
  const hasEnded = !isThinking && startedAt !== null;
  useEffect(() => {
    if (isBeginning) setStartedAt(performance.now());
  }, [isBeginning]);
  useEffect(() => {
    if (!hasEnded || startedAt === null) return;
    const passed = Math.round((performance.now() - startedAt) / 1_000);
    setStartedAt(null);
    setSeconds(passed);
    storeTime(scope, passed);
  }, [hasEnded, startedAt, scope]);
  return seconds;
}
