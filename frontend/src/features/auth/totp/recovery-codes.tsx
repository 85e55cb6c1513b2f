import { Box, Button, Code, Flex, SimpleGrid, Stack, Text } from '@chakra-ui/react';
import { Copy, Download } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../../../app/i18n/translate';
import { copyText } from '../../../components/buttons/copy-text';
import { notify } from '../../../components/feedback/notify';

interface RecoveryCodesProps {
  codes: string[];
  username: string;
  onDone: () => void;
}

/** The recovery codes after an enrolment, which the server cannot show again. */
export function RecoveryCodes({ codes, username, onDone }: RecoveryCodesProps) {
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  const text = `${codes.join('\n')}\n`;
  const copy = async () => {
    const isDone = await copyText(text);
    notify(isDone ? { title: t('totp.codesCopied') } : { title: t('common.copyRefused'), kind: 'error' });
  };
  return (
    <Stack gap="3" data-saved={false}>
      <Text ref={title} role="status" tabIndex={-1} outline="none">
        {t('totp.saveCodes')}
      </Text>
      <Box borderWidth="1px" borderRadius="l2" p="3">
        <SimpleGrid
          as="ul"
          columns={{ base: 1, sm: 2 }}
          gap="1"
          listStyleType="none"
          aria-label={t('totp.recoveryCodes')}
        >
          {codes.map((code) => (
            <li key={code}>
              <Code variant="plain">{code}</Code>
            </li>
          ))}
        </SimpleGrid>
      </Box>
      <Flex gap="2" wrap="wrap">
        <Button variant="outline" onClick={() => void copy()}>
          <Copy aria-hidden /> {t('common.copy')}
        </Button>
        <Button asChild variant="outline">
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download={`recovery-codes-${username}.txt`}
          >
            <Download aria-hidden /> {t('message.download')}
          </a>
        </Button>
        <Button colorPalette="jade" onClick={onDone}>
          {t('totp.saved')}
        </Button>
      </Flex>
    </Stack>
  );
}
