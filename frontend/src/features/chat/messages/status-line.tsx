import { Button, Flex, Text } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';

interface StatusLineProps {
  children: ReactNode;
  tone?: 'quiet' | 'error';
  action?: ReactNode;
}

/** A line below a message with its state or error, and an action. */
export function StatusLine({ children, tone = 'error', action }: StatusLineProps) {
  return (
    <Flex
      align="center"
      columnGap="3"
      rowGap="1"
      mt="1"
      color={tone === 'error' ? 'fg.error' : 'fg.muted'}
      textStyle="sm"
      wrap="wrap"
    >
      {/* The icon stays beside the first line of the text. */}
      <Flex columnGap="2" minW="10rem">
        {tone === 'error' && <CircleAlert size={16} style={{ flexShrink: 0, marginTop: 2 }} aria-hidden />}
        <Text overflowWrap="anywhere">{children}</Text>
      </Flex>
      {action}
    </Flex>
  );
}

export function LineButton({
  children,
  onClick,
  disabled,
}: {
  children: ReactNode;
  onClick: () => void;
  disabled?: boolean;
}) {
  return (
    <Button size="xs" variant="outline" onClick={onClick} disabled={disabled}>
      {children}
    </Button>
  );
}
