import { Badge, Box, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type AdminUser, UNLIMITED } from '@tanya/contract';
import { formatDateTime, formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { currentUserQuery } from '../../app/queries/user.query';
import { RowTick, TickHeader } from '../../components/tables/selection';
import { columnHelperFor } from '../../components/tables/table-features';
import { activityText } from './user-activity';
import { UserActions, type UserDialogKind } from './user-actions';

const column = columnHelperFor<AdminUser>();

export const choosable = ({ id, fullName, username }: AdminUser) => ({ id: String(id), name: fullName || username });

/** Nobody changes the own account along with others. */
function UserTick({ user }: { user: AdminUser }) {
  const { data: me } = useQuery(currentUserQuery);
  return <RowTick {...choosable(user)} isFixed={user.id === me?.id ? 'open' : undefined} />;
}

export const userColumns = (onOpen: (kind: UserDialogKind, user: AdminUser) => void) =>
  column.columns([
    column.display({
      id: 'choose',
      header: TickHeader,
      meta: { card: 'corner' },
      cell: ({ row }) => <UserTick user={row.original} />,
    }),
    column.accessor('username', {
      header: t('usersPage.user'),
      meta: { card: 'title', share: { percent: 40, min: 8 } },
      cell: ({ row }) => <UserName user={row.original} />,
    }),
    column.display({
      id: 'contact',
      header: t('usersPage.contact'),
      meta: { share: { percent: 60, min: 9 } },
      cell: ({ row }) => <ContactInfo user={row.original} />,
    }),
    column.accessor('messageCount', {
      header: t('usersPage.messages'),
      meta: { align: 'end' },
      cell: ({ row }) => <Messages user={row.original} />,
    }),
    column.accessor('isAdmin', {
      header: t('usersPage.role'),
      meta: { card: 'half' },
      cell: ({ row: { original: user } }) => (
        <Badge variant="outline" colorPalette={user.isAdmin ? 'jade' : 'gray'}>
          {user.isService ? t('adminKeys.service') : user.isAdmin ? t('usersPage.admin') : t('usersPage.user')}
        </Badge>
      ),
    }),
    column.accessor('isPremium', {
      header: t('usersPage.status'),
      meta: { card: 'half' },
      cell: ({ row }) => <UserStatus user={row.original} />,
    }),
    column.accessor('createdAt', {
      header: t('people.activity'),
      cell: ({ row }) => <Activity user={row.original} />,
    }),
    column.display({
      id: 'actions',
      header: t('usersPage.actions'),
      meta: { align: 'end', card: 'corner' },
      cell: ({ row }) => <UserActions user={row.original} onOpen={onOpen} />,
    }),
  ]);

function UserName({ user: { fullName, username } }: { user: AdminUser }) {
  return (
    <Box overflowWrap="anywhere">
      <Text fontWeight="medium" title={fullName || username}>
        {fullName || username}
      </Text>
      {fullName && (
        <Text textStyle="xs" color="fg.muted" title={username}>
          {username}
        </Text>
      )}
    </Box>
  );
}

/** Messages of all periods, then those of the current one. */
function Messages({ user: { messageCount, quotaUsed, quotaOverride } }: { user: AdminUser }) {
  return (
    <>
      {formatNumber(messageCount)}
      {quotaUsed !== undefined && (
        <Text textStyle="xs" color="fg.muted" whiteSpace="nowrap" title={t('people.usedHint')}>
          {t('people.used', { count: formatNumber(quotaUsed) })}
        </Text>
      )}
      {quotaOverride !== null && (
        <Text textStyle="xs" color="fg.muted" whiteSpace="nowrap">
          {quotaOverride === UNLIMITED
            ? t('people.ownUnlimited')
            : t('people.ownLimit', { max: formatNumber(quotaOverride) })}
        </Text>
      )}
    </>
  );
}

function Activity({ user }: { user: AdminUser }) {
  const [created, seen] = activityText(user);
  return (
    <Box textStyle="xs" color="fg.muted" whiteSpace="nowrap">
      <Text title={formatDateTime(new Date(user.createdAt))}>{created}</Text>
      <Text title={user.lastSeenAt ? formatDateTime(new Date(user.lastSeenAt)) : undefined}>{seen}</Text>
    </Box>
  );
}

function UserStatus({
  user: { isPremium, isApproved, isSuspended, hasTotp, mustChangePassword },
}: {
  user: AdminUser;
}) {
  return (
    <Flex gap="1.5" wrap="wrap">
      <Badge colorPalette={isPremium ? 'jade' : 'gray'}>{isPremium ? t('sidebar.premium') : t('usersPage.free')}</Badge>
      {hasTotp && (
        <Badge variant="outline" title={t('totp.title')}>
          {t('usersPage.totp')}
        </Badge>
      )}
      {isSuspended && <Badge colorPalette="red">{t('people.suspended')}</Badge>}
      {mustChangePassword && <Badge variant="outline">{t('people.mustChangePassword')}</Badge>}
      {!isApproved && <Badge colorPalette="orange">{t('usersPage.pending')}</Badge>}
    </Flex>
  );
}

/** Breaks at the `@`, if at all. */
function Email({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <Text title={address}>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </Text>
  );
}

function ContactInfo({ user: { email, phoneNumber } }: { user: AdminUser }) {
  if (!email && !phoneNumber) {
    return (
      <Text as="em" color="fg.muted">
        {t('users.noContact')}
      </Text>
    );
  }
  return (
    <Box overflowWrap="anywhere">
      {email && <Email address={email} />}
      {phoneNumber && (
        <Text color={email ? 'fg.muted' : undefined} title={phoneNumber}>
          {phoneNumber}
        </Text>
      )}
    </Box>
  );
}
