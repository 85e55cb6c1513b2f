import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS, TEXTS } from '@tanya/contract';
import { openDialog } from '../../app/state/dialogs';
import { currentUserQuery, quotaQuery } from '../../app/queries/user.query';
import { UpgradeButton } from '../../components/buttons/upgrade-button';

/** Replaces the image form when the quota does not cover an image: says the price and offers what raises the quota. */
export function ImageQuotaNotice() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: quota } = useQuery(quotaQuery);
  const isGuest = user === null;
  // A refused request may find the cached quota outdated, so enough messages count as none.
  const left = quota && quota.remaining > 0 && quota.remaining < LIMITS.imageCost ? quota.remaining : 0;
  return (
    <Stack role="alert" gap="3">
      {left > 0 ? (
        <>
          <Text fontWeight="semibold">{`An image costs ${LIMITS.imageCost} messages. You have ${left} left.`}</Text>
          <Text color="fg.muted">
            {isGuest ? 'Register for free to get more messages, or upgrade.' : 'Upgrade to get more messages.'}
          </Text>
        </>
      ) : (
        <>
          <Text fontWeight="semibold">{TEXTS.images.quotaTitle}</Text>
          <Text color="fg.muted">Upgrade ke VIP untuk mendapatkan kuota tambahan dan membuat gambar AI lagi.</Text>
        </>
      )}
      <Flex justify="flex-end" gap="2" wrap="wrap">
        {isGuest && (
          <Button colorPalette="jade" onClick={() => openDialog('register')}>
            {TEXTS.sidebar.register}
          </Button>
        )}
        <UpgradeButton {...(isGuest ? { variant: 'outline' } : { colorPalette: 'jade' })} />
      </Flex>
    </Stack>
  );
}
