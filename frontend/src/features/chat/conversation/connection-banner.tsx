import { Flex, Spinner } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useConnection } from '../../../app/socket/socket';

/** A connection that is back sooner than this was never missed. */
const PATIENCE_MS = 1_500;

/** Says that the connection is lost and that nothing of what is written is. */
export function ConnectionBanner() {
  const isLost = useConnection((state) => state.status === 'lost');
  return <div role="status">{isLost && <LateBanner />}</div>;
}

function LateBanner() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <Flex align="center" justify="center" gap="2" px="4" py="1.5" bg="bg.warning" color="fg.warning" textStyle="sm">
      <Spinner size="xs" aria-hidden />
      Connection lost. Reconnecting; what you send now goes out as soon as it is back.
    </Flex>
  );
}
