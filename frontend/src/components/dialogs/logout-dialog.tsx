import { useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { pageOwner } from '../../app/session/page-owner';
import { hasDraftText } from '../../app/storage/has-draft-text';
import { useLogout } from '../buttons/use-logout';
import { ConfirmDialog } from './confirm-dialog';

/** Logs out, after a question if that removes the text of a draft from this browser. */
export default function LogoutDialog({ onClose }: { onClose: () => void }) {
  const [isAsked] = useState(() => {
    const owner = pageOwner();
    return owner !== null && hasDraftText(owner);
  });
  const { mutate, isPending } = useLogout();
  const hasBegun = useRef(isAsked);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    mutate(undefined, { onError: onClose });
  }, [mutate, onClose]);

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
