import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
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
          <Text fontWeight="semibold">{t('exhausted.image', { cost: LIMITS.imageCost, left })}</Text>
          <Text color="fg.muted">{isGuest ? t('exhausted.imageGuest') : t('exhausted.imageFree')}</Text>
        </>
      ) : (
        <>
          <Text fontWeight="semibold">{t('images.quotaTitle')}</Text>
          <Text color="fg.muted">{t('exhausted.imageAll')}</Text>
        </>
      )}
      <Flex justify="flex-end" gap="2" wrap="wrap">
        {isGuest && (
          <Button colorPalette="jade" onClick={() => openDialog('register')}>
            {t('sidebar.register')}
          </Button>
        )}
        <UpgradeButton {...(isGuest ? { variant: 'outline' } : { colorPalette: 'jade' })} />
      </Flex>
    </Stack>
  );
}
