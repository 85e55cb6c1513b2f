import { chakra, Flex, Text, VisuallyHidden } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { t } from '../../../app/i18n/translate';

const Dot = chakra('span', {
  base: {
    width: '6px',
    height: '6px',
    borderRadius: 'full',
    bg: 'fg.subtle',
    animation: 'pulse 1.2s ease-in-out infinite',
  },
});

/** From this time on, the text stands beside the dots. */
const SHOWN_AFTER_MS = 2_000;
/** From this time on, the elapsed time and a hint stand beside the dots. */
const SLOW_AFTER_MS = 12_000;

interface ThinkingProps {
  /** Start of the answer, epoch ms; by default the first render. */
  since?: number;
  /** Whether no other sign of progress, such as reasoning, is shown. */
  isSilent?: boolean;
}

/** Three animated dots until the first token, soon with a text. */
export function Thinking({ since, isSilent = true }: ThinkingProps) {
  const seconds = useElapsedSeconds(since);
  return (
    <Flex align="center" gap="1.5" minHeight="6" wrap="wrap" data-testid="thinking">
      <Dot aria-hidden />
      <Dot aria-hidden animationDelay="0.15s" />
      <Dot aria-hidden animationDelay="0.3s" />
      {isSilent && seconds * 1_000 >= SHOWN_AFTER_MS ? (
        <Text as="span" textStyle="sm" color="fg.muted" ms="1">
          {t('chat.thinking')}
        </Text>
      ) : (
        <VisuallyHidden>{t('chat.thinking')}</VisuallyHidden>
      )}
      {isSilent && seconds * 1_000 >= SLOW_AFTER_MS && (
        <Text textStyle="xs" color="fg.muted" ms="1.5">
          {/* The time changes each second, which a screen reader must not announce. */}
          <chakra.span aria-hidden fontVariantNumeric="tabular-nums">
            {t('conversation.seconds', { seconds })} ·{' '}
          </chakra.span>
          <span role="status">{t('conversation.slow')}</span>
        </Text>
      )}
    </Flex>
  );
}

function useElapsedSeconds(since = Infinity): number {
  // The server's clock may be ahead of the browser's.
  const [start] = useState(() => Math.min(since, Date.now()));
  const [seconds, setSeconds] = useState(() => secondsSince(start));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsSince(start)), 1_000);
    return () => clearInterval(timer);
  }, [start]);
  return seconds;
}

const secondsSince = (start: number): number => Math.floor((Date.now() - start) / 1_000);
