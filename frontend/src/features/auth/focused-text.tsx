import { Text } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';

/** Takes the focus, which the form that it replaces would otherwise leave outside of the dialog. */
export function FocusedText({ children }: { children: ReactNode }) {
  const text = useRef<HTMLParagraphElement>(null);
  useEffect(() => text.current?.focus(), []);
  return (
    <Text ref={text} role="status" tabIndex={-1} outline="none">
      {children}
    </Text>
  );
}
