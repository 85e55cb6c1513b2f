import { Flex, IconButton, Menu } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AdminUser } from '@tanya/contract';
import { KeyRound, Pencil, Trash2 } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { currentUserQuery } from '../../app/queries/user.query';
import { LoadingButton } from '../../components/buttons/loading-button';
import { useMediaQuery } from '../../components/hooks/use-media-query';
import { RowMenu } from '../../components/tables/row-menu';
import type { AccountChange } from './account-question';
import { useSetPremium, useUpdateUser } from './user-mutations';

export type UserDialogKind = 'edit' | 'password' | Exclude<AccountChange, 'usage'>;

interface UserActionsProps {
  user: AdminUser;
  onOpen: (kind: UserDialogKind, user: AdminUser) => void;
}

const COMPACT = '(max-width: 1199.98px)';

/** The admin actions on a user: on wide screens buttons and a menu of the rarer ones, on others one menu. */
export function UserActions({ user, onOpen }: UserActionsProps) {
  const { data: me } = useQuery(currentUserQuery);
  const compact = useMediaQuery(COMPACT);
  const premium = useSetPremium(user.id);
  const update = useUpdateUser(user.id);
  const pending = premium.isPending || update.isPending;
  const own = me?.id === user.id;
  const props: ActionsProps = {
    user,
    own,
    pending,
    onPremium: () => premium.mutate(!user.isPremium),
    // Only another admin can undo the removal of one's own rights.
    onAdmin: () => (own && user.isAdmin ? onOpen('demote', user) : update.mutate({ isAdmin: !user.isAdmin })),
    onApprove: () => update.mutate({ isApproved: true }),
    onOpen: (kind) => onOpen(kind, user),
  };
  return compact ? <ActionMenu {...props} /> : <ActionButtons {...props} />;
}

interface ActionsProps {
  user: AdminUser;
  /** The signed-in admin's own row. */
  own: boolean;
  pending: boolean;
  onPremium: () => void;
  onAdmin: () => void;
  onApprove: () => void;
  onOpen: (kind: UserDialogKind) => void;
}

const premiumLabel = (user: AdminUser) => (user.isPremium ? t('usersPage.removePremium') : t('usersPage.makePremium'));
/** Admins change their own factor in the account dialog. */
const canResetTotp = (user: AdminUser, own: boolean) => user.hasTotp && !own;
const suspensionOf = ({ isSuspended }: AdminUser) => (isSuspended ? 'resume' : 'suspend');
const adminLabel = (user: AdminUser) => (user.isAdmin ? t('usersPage.removeAdmin') : t('usersPage.makeAdmin'));

function ActionButtons(props: ActionsProps) {
  const { user, own, pending, onApprove, onOpen } = props;
  return (
    <Flex gap="1" justify="end">
      {!user.isApproved && (
        <LoadingButton size="xs" colorPalette="jade" disabled={pending} onClick={onApprove}>
          {t('usersPage.approve')}
        </LoadingButton>
      )}
      <IconButton
        size="xs"
        variant="ghost"
        aria-label={t('common.edit')}
        title={t('common.edit')}
        onClick={() => onOpen('edit')}
      >
        <Pencil />
      </IconButton>
      {!user.isService && (
        <IconButton
          size="xs"
          variant="ghost"
          aria-label={t('usersPage.resetPassword')}
          title={own ? t('usersPage.resetOwn') : t('usersPage.resetPassword')}
          disabled={own}
          onClick={() => onOpen('password')}
        >
          <KeyRound />
        </IconButton>
      )}
      <IconButton
        size="xs"
        variant="ghost"
        color="fg.error"
        aria-label={t('common.delete')}
        title={own ? t('usersPage.deleteOwn') : t('common.delete')}
        disabled={own}
        onClick={() => onOpen('delete')}
      >
        <Trash2 />
      </IconButton>
      <RowMenu label={t('usersPage.actionsFor', { name: user.username })}>
        <PlanItems {...props} />
        <RareItems user={user} own={own} onOpen={onOpen} />
      </RowMenu>
    </Flex>
  );
}

function ActionMenu(props: ActionsProps) {
  const { user, own, pending, onApprove, onOpen } = props;
  return (
    <RowMenu label={t('usersPage.actionsFor', { name: user.username })}>
      {!user.isApproved && (
        <Menu.Item value="approve" disabled={pending} onClick={onApprove}>
          {t('usersPage.approve')}
        </Menu.Item>
      )}
      <PlanItems {...props} />
      <Menu.Item value="edit" onClick={() => onOpen('edit')}>
        {t('common.edit')}
      </Menu.Item>
      {!user.isService && (
        <Menu.Item value="password" disabled={own} onClick={own ? undefined : () => onOpen('password')}>
          {t('usersPage.resetPassword')}
        </Menu.Item>
      )}
      <RareItems user={user} own={own} onOpen={onOpen} />
      <Menu.Item value="delete" color="fg.error" disabled={own} onClick={own ? undefined : () => onOpen('delete')}>
        {t('common.delete')}
      </Menu.Item>
    </RowMenu>
  );
}

/** The actions on the plan and the rights. Their names are too long for buttons beside the other columns. */
function PlanItems({ user, pending, onPremium, onAdmin }: ActionsProps) {
  return (
    <>
      <Menu.Item value="premium" disabled={pending} onClick={onPremium}>
        {premiumLabel(user)}
      </Menu.Item>
      {!user.isService && (
        <Menu.Item value="admin" disabled={pending} onClick={onAdmin}>
          {adminLabel(user)}
        </Menu.Item>
      )}
    </>
  );
}

/** The actions that are in the menu on wide screens too. */
function RareItems({ user, own, onOpen }: Pick<ActionsProps, 'user' | 'own' | 'onOpen'>) {
  return (
    <>
      {canResetTotp(user, own) && (
        <Menu.Item value="totp" onClick={() => onOpen('totp')}>
          {t('usersPage.resetTotp')}
        </Menu.Item>
      )}
      <Menu.Item value="keys" asChild>
        <Link to="/admin/{-$page}" params={{ page: 'keys' }} search={{ userId: user.id } as never}>
          {t('sidebar.apiKeys')}
        </Link>
      </Menu.Item>
      {!user.isService && (
        <Menu.Item value="sessions" onClick={() => onOpen('sessions')}>
          {t('usersPage.endSessions')}
        </Menu.Item>
      )}
      <Menu.Item
        value="suspension"
        disabled={own}
        title={own ? t('people.suspendOwn') : undefined}
        // A disabled item still gets clicks.
        onClick={own ? undefined : () => onOpen(suspensionOf(user))}
      >
        {t(`people.${suspensionOf(user)}`)}
      </Menu.Item>
    </>
  );
}
