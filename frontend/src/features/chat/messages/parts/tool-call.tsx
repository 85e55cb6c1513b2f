import { Box, chakra, Text } from '@chakra-ui/react';
import type { ToolPart, ToolState } from '@tanya/contract';
import {
  Ban,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Hand,
  type LucideIcon,
} from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { formatDecimal, formatNumber } from '../../../../app/i18n/formats';
import { findText, t } from '../../../../app/i18n/translate';
import { hostOf } from '../../../markdown/citations';
import { CallApproval } from './call-approval';

const ICONS: Record<ToolState, LucideIcon> = {
  running: CircleDashed,
  waiting: Hand,
  done: CircleCheck,
  failed: CircleAlert,
  denied: Ban,
  interrupted: CircleSlash,
};

interface ToolCallProps {
  part: ToolPart;
  /** The generation that writes the answer; null once the answer is final. */
  generationId: string | null;
}

/**
 * One call of a tool: a line with its state, which opens to its arguments and its result. Both are shown as text. A call
 * that waits is open from the beginning, and has the buttons of its approval until it is decided.
 */
const ToolCall = memo(function ToolCall({ part, generationId }: ToolCallProps) {
  const { title, state, approved, ms } = part;
  const isWaiting = state === 'waiting' && generationId !== null;
  const [chosen, setOpen] = useState<boolean>();
  const isOpen = chosen ?? isWaiting;
  const line = useRef<HTMLElement>(null);
  // States of later versions have no icon of their own.
  const Icon = ICONS[state] ?? CircleDashed;
  const stateText = isWaiting && approved ? t('toolCall.allowed') : (findText(`toolCall.${state}`) ?? state);
  const own = builtInLine(part);
  const details = (
    <chakra.details
      color="fg.muted"
      textStyle="sm"
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => open !== isOpen && setOpen(open)}
      data-tool-state={state}
      css={{ '&[open] > summary > svg:last-of-type': { transform: 'rotate(90deg)' } }}
    >
      <chakra.summary
        ref={line}
        display="inline-flex"
        alignItems="center"
        gap="1.5"
        maxW="100%"
        cursor="pointer"
        listStyle="none"
        borderRadius="l1"
        minH={{ base: '10', md: '6' }}
        css={{ '&::-webkit-details-marker': { display: 'none' } }}
      >
        <chakra.span
          display="inline-flex"
          color={state === 'failed' ? 'fg.error' : undefined}
          animation={state === 'running' ? 'spin 2s linear infinite' : undefined}
          _motionReduce={{ animation: 'none' }}
        >
          <Icon size={14} aria-hidden />
        </chakra.span>
        <Text as="span" truncate>
          {own?.title ?? title}
        </Text>
        <Text as="span" flexShrink={0} color="fg.subtle">
          {own && state === 'done'
            ? own.result
            : [stateText, ms !== undefined && durationText(ms)].filter(Boolean).join(' · ')}
        </Text>
        <ChevronRight size={14} aria-hidden style={{ flexShrink: 0 }} />
      </chakra.summary>
      {isOpen && <CallDetails part={part} />}
    </chakra.details>
  );
  return (
    <Box>
      {details}
      {isWaiting && !approved && (
        <CallApproval part={part} generationId={generationId} onDecide={() => line.current?.focus()} />
      )}
    </Box>
  );
});

export default ToolCall;

/** The line of a search or of a read page, which says what was looked for; null for other tools. */
function builtInLine({ tool, args, state, result = '' }: ToolPart): { title: string; result: string } | null {
  const { query, url } = (typeof args === 'object' && args !== null ? args : {}) as Record<string, unknown>;
  const isOver = state === 'done';
  if (tool === 'web_search' && typeof query === 'string' && query.trim() !== '') {
    // The result lists each page with its number.
    const count = result.match(/^\[\d+\] /gm)?.length ?? 0;
    return {
      title: t(isOver ? 'toolCall.searched' : 'toolCall.searching', { query: query.trim() }),
      result: count > 0 ? `· ${t('toolCall.pages', { count })}` : '',
    };
  }
  const host = tool === 'read_page' && typeof url === 'string' ? hostOf(url) : '';
  return host === '' ? null : { title: t(isOver ? 'toolCall.read' : 'toolCall.reading', { host }), result: '' };
}

function CallDetails({ part: { args, state, result, error, truncated } }: { part: ToolPart }) {
  const hasEnded = state !== 'running' && state !== 'waiting';
  const hasArguments = typeof args !== 'object' || (args !== null && Object.keys(args).length > 0);
  return (
    <Box mt="1" ps="3" borderStartWidth="2px">
      {hasArguments && <Block label={t('toolCall.arguments')} text={JSON.stringify(args, null, 2)} />}
      {error !== undefined && <Block label={t('toolCall.error')} text={error} />}
      {result && <Block label={t('toolCall.result')} text={result} />}
      {hasEnded && !result && error === undefined && <Text py="1">{t('toolCall.noResult')}</Text>}
      {truncated && <Text textStyle="xs">{t('toolCall.truncated')}</Text>}
    </Box>
  );
}

function Block({ label, text }: { label: string; text: string }) {
  return (
    <Box py="1">
      <Text textStyle="xs" fontWeight="medium">
        {label}
      </Text>
      <chakra.pre
        dir="auto"
        tabIndex={0}
        aria-label={label}
        maxH="16rem"
        overflow="auto"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        fontFamily="mono"
        textStyle="xs"
        color="fg"
      >
        {text}
      </chakra.pre>
    </Box>
  );
}

const durationText = (ms: number): string =>
  t('conversation.seconds', {
    seconds: ms < 10_000 ? formatDecimal(ms / 1_000) : formatNumber(Math.round(ms / 1_000)),
  });
