import { Flex, type FlexProps, Kbd } from '@chakra-ui/react';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** The keys of a shortcut, with the name of Ctrl on this system. */
export function ShortcutKeys({ keys, ...props }: { keys: readonly string[] } & FlexProps) {
  return (
    <Flex gap="1" {...props}>
      {keys.map((key) => (
        <Kbd key={key} size="sm">
          {IS_MAC && key === 'Ctrl' ? '⌘' : key}
        </Kbd>
      ))}
    </Flex>
  );
}
