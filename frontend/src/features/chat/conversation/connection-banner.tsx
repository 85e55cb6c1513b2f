import { Flex, Spinner } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { useConnection } from '../../../app/socket/socket';

/** The banner is not shown for shorter interruptions. */
const DELAY_MS = 1_500;

/** Reports a lost connection, and that messages are sent once it is back. */
export function ConnectionBanner() {
  const isLost = useConnection((state) => state.status === 'lost');
  return <div role="status">{isLost && <DelayedBanner />}</div>;
}

function DelayedBanner() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <Flex align="center" justify="center" gap="2" px="4" py="1.5" bg="bg.warning" color="fg.warning" textStyle="sm">
      <Spinner size="xs" aria-hidden />
      {t('conversation.connectionLost')}
    </Flex>
  );
}
