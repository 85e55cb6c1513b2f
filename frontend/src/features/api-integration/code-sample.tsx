import { Box, Flex } from '@chakra-ui/react';
import { t } from '../../app/i18n/translate';
import { CopyButton } from '../../components/buttons/copy-button';

interface CodeSampleProps {
  code: string;
  /** The text to copy when it differs from the displayed code. */
  copied?: string;
  label: string;
}

export function CodeSample({ code, copied = code, label }: CodeSampleProps) {
  return (
    <Box borderWidth="1px" borderRadius="l2" bg="bg.subtle" overflow="hidden">
      <Flex align="center" justify="space-between" ps="4" pe="1" minH="9" borderBottomWidth="1px" color="fg.muted">
        <Box textStyle="xs">{label}</Box>
        <CopyButton label={t('developer.copy', { label })} text={() => copied} />
      </Flex>
      <Box
        as="pre"
        tabIndex={0}
        role="region"
        aria-label={label}
        overflowX="auto"
        p="4"
        fontFamily="mono"
        textStyle="caption"
        lineHeight="1.6"
        focusVisibleRing="inside"
      >
        <code>
          {code.split(/(•+)/).map((part, index) =>
            // The bullets of a masked key are of no use where they are pasted.
            index % 2 === 0 ? (
              part
            ) : (
              <Box as="span" key={index} userSelect="none">
                {part}
              </Box>
            ),
          )}
        </code>
      </Box>
    </Box>
  );
}
