import { Button, type ButtonProps } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../app/i18n/translate';
import { openDialog } from '../../app/state/dialogs';
import { settingsQuery } from '../../app/queries/settings.query';

/** Links to the external registration page, or opens the upgrade dialog when the settings have no link. */
export function UpgradeButton(props: ButtonProps) {
  const { data: settings } = useQuery(settingsQuery);
  if (settings?.showUpgrade === false) return null;
  const url = settings?.links.upgradeUrl;
  if (!url) {
    return (
      <Button {...props} onClick={() => openDialog('upgrade')}>
        {props.children ?? t('chat.upgrade')}
      </Button>
    );
  }
  return (
    <Button asChild {...props}>
      <a href={url} target="_blank" rel="noopener noreferrer">
        {props.children ?? t('chat.upgrade')}
      </a>
    </Button>
  );
}
