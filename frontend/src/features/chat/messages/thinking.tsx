import { chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { TEXTS } from '@tanya/contract';

const Dot = chakra('span', {
  base: {
    width: '6px',
    height: '6px',
    borderRadius: 'full',
    bg: 'fg.subtle',
    animation: 'pulse 1.2s ease-in-out infinite',
  },
});

/** Three animated dots until the first token. */
export function Thinking() {
  return (
    <Flex align="center" gap="1.5" height="6" data-testid="thinking">
      <VisuallyHidden>{TEXTS.chat.thinking}</VisuallyHidden>
      <Dot aria-hidden />
      <Dot aria-hidden animationDelay="0.15s" />
      <Dot aria-hidden animationDelay="0.3s" />
    </Flex>
  );
}
