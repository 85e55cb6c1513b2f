import { Button, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { AdminUser } from '@tanya/contract';
import { Mail, UserPlus } from 'lucide-react';
import { useCallback, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { currentUserQuery } from '../../app/queries/user.query';
import { PageShell } from '../../components/layout/page-shell';
import { AccountQuestion } from './account-question';
import { InvitationsDialog } from './invitations-dialog';
import { ResetPasswordDialog } from './reset-password-dialog';
import type { UserDialogKind } from './user-actions';
import { UserDialog } from './user-dialog';
import { UsersTable } from './users-table';

type Open = { kind: 'add' | 'invite' } | { kind: UserDialogKind; user: AdminUser };

export default function UsersPage() {
  const { data: me } = useQuery(currentUserQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const openFor = useCallback((kind: UserDialogKind, user: AdminUser) => setOpen({ kind, user }), []);
  return (
    <PageShell
      title={t('usersPage.title')}
      sentence={t('usersPage.sentence')}
      action={
        <Flex gap="2" wrap="wrap">
          <Button variant="outline" onClick={() => setOpen({ kind: 'invite' })}>
            <Mail aria-hidden /> {t('invitations.invite')}
          </Button>
          <Button colorPalette="jade" onClick={() => setOpen({ kind: 'add' })}>
            <UserPlus aria-hidden /> {t('usersPage.add')}
          </Button>
        </Flex>
      }
    >
      <UsersTable onOpen={openFor} />
      {open?.kind === 'invite' && <InvitationsDialog onClose={close} />}
      {open?.kind === 'add' && <UserDialog user={null} onClose={close} />}
      {open?.kind === 'edit' && <UserDialog user={open.user} own={open.user.id === me?.id} onClose={close} />}
      {open?.kind === 'password' && <ResetPasswordDialog user={open.user} onClose={close} />}
      {open && 'user' in open && open.kind !== 'edit' && open.kind !== 'password' && (
        <AccountQuestion kind={open.kind} user={open.user} onClose={close} />
      )}
    </PageShell>
  );
}
