import { Text, type TextProps } from '@chakra-ui/react';

/** A text of a table's cell: where it is long it is cut, and whole in its title, rather than broken within its words. */
export function LongText({ children, ...props }: TextProps & { children: string }) {
  return (
    <Text truncate maxW="16rem" title={children} {...props}>
      {children}
    </Text>
  );
}
