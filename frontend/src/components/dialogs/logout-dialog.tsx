import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { hasDraftText } from '../../app/session/has-draft-text';
import { pageOwner } from '../../app/session/page-owner';
import type { Owner } from '../../app/storage/owner';
import { useLogout } from '../buttons/use-logout';
import { ConfirmDialog } from './confirm-dialog';

interface LogoutDialogProps {
  hasUnsentMessages: (owner: Owner) => boolean;
  onClose: () => void;
}

/** Logs out, after a question if that removes an unsent message or the text of a draft from this browser. */
export function LogoutDialog({ hasUnsentMessages, onClose }: LogoutDialogProps) {
  const [isAsked, setAsked] = useState(false);
  const { mutate, isPending } = useLogout();
  const hasBegun = useRef(false);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const begin = async () => {
      const owner = pageOwner();
      const mustAsk = owner !== null && (hasUnsentMessages(owner) || (await hasDraftText(owner)));
      if (!isMounted.current) return;
      if (mustAsk) setAsked(true);
      else mutate(undefined, { onError: onClose });
    };
    void begin();
  }, [hasUnsentMessages, mutate, onClose]);

  if (!isAsked) return null;
  return (
    <ConfirmDialog
      title={t('navigation.logout')}
      question={t('account.logoutQuestion')}
      action={t('navigation.logout')}
      pending={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    />
  );
}
