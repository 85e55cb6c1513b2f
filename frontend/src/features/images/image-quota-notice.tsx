import { Button, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LIMITS, mayUsePremium, type User } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { closeDialog, openDialog } from '../../app/state/dialogs';
import { settingsQuery } from '../../app/queries/settings.query';
import { currentUserQuery, quotaQuery } from '../../app/queries/user.query';
import { ContactText } from '../../components/buttons/admin-contact';
import { UpgradeButton } from '../../components/buttons/upgrade-button';

/** Replaces the image form when the quota does not cover an image: says the price and offers what raises the quota. */
export function ImageQuotaNotice() {
  const { data: user } = useQuery(currentUserQuery);
  // Its period may have ended since it was read.
  const { data: quota } = useQuery({ ...quotaQuery, refetchOnMount: 'always' });
  const { data: settings } = useQuery(settingsQuery);
  const hasUpgrade = !mayUsePremium(user) && settings?.showUpgrade !== false;
  const isGuest = user === null;
  // A refused request may find the cached quota outdated, so enough messages count as none.
  const left = quota && quota.remaining > 0 && quota.remaining < LIMITS.imageCost ? quota.remaining : 0;
  return (
    <Stack role="alert" gap="3">
      <Text fontWeight="semibold">
        {left > 0 ? t('exhausted.image', { cost: LIMITS.imageCost, left }) : t('images.quotaTitle')}
      </Text>
      <Text color="fg.muted">{hasUpgrade ? upgradeHint(isGuest, left) : <LimitHint user={user} />}</Text>
      <Flex justify="flex-end" gap="2" wrap="wrap">
        {isGuest && (
          <Button colorPalette="jade" onClick={() => openDialog('register')}>
            {t('sidebar.register')}
          </Button>
        )}
        {user?.isAdmin && (
          <Button asChild colorPalette="jade">
            <Link to="/admin/{-$page}" params={{ page: 'settings' }} onClick={closeDialog}>
              {t('sidebar.generalSettings')}
            </Link>
          </Button>
        )}
        {hasUpgrade && <UpgradeButton {...(isGuest ? { variant: 'outline' } : { colorPalette: 'jade' })} />}
      </Flex>
    </Stack>
  );
}

function upgradeHint(isGuest: boolean, left: number): string {
  if (left === 0) return t('exhausted.imageAll');
  return isGuest ? t('exhausted.imageGuest') : t('exhausted.imageFree');
}

/** The next step where no upgrade is offered. */
function LimitHint({ user }: { user: User | null | undefined }) {
  if (!user) return t('exhausted.imageAccount');
  return user.isAdmin ? t('exhausted.imageAdmin') : <ContactText text={t('exhausted.imagePremium')} />;
}
