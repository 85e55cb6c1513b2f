import { Text, type TextProps } from '@chakra-ui/react';

/** Text of a table cell, truncated when it is long; the tooltip shows all of it. */
export function LongText({ children, ...props }: TextProps & { children: string }) {
  return (
    <Text truncate maxW="16rem" title={children} {...props}>
      {children}
    </Text>
  );
}
