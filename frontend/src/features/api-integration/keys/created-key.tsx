import { Box, Button, Code } from '@chakra-ui/react';
import { Copy } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../../../app/i18n/translate';
import { copyText } from '../../../components/buttons/copy-text';
import { notify } from '../../../components/feedback/notify';

/** A new key as a whole, which the server cannot show again. */
export function CreatedKey({ value }: { value: string }) {
  const button = useRef<HTMLButtonElement>(null);
  // The form with the focus was removed.
  useEffect(() => button.current?.focus(), []);
  const copy = async () => {
    const isDone = await copyText(value);
    notify(isDone ? { title: t('keys.copied') } : { title: t('common.copyRefused'), kind: 'error' });
  };
  return (
    <>
      <Box role="group" aria-label={t('keys.theKey')} borderWidth="1px" borderRadius="l2" p="3" mb="3">
        <Code variant="plain" size="md" px="0" display="block" overflowWrap="anywhere" whiteSpace="normal">
          {value}
        </Code>
      </Box>
      <Button ref={button} variant="outline" onClick={() => void copy()}>
        <Copy aria-hidden /> {t('common.copy')}
      </Button>
    </>
  );
}
