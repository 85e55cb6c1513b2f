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

type OnOpen = (kind: UserDialogKind, user: AdminUser) => void;

export const userColumns = (onOpen: OnOpen) =>
  column.columns([
    column.display({
      id: 'choose',
      header: TickHeader,
      cell: ({ row }) => <UserTick user={row.original} />,
    }),
    column.accessor('username', {
      header: t('usersPage.user'),
      meta: { share: { percent: 40, min: 8 } },
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
      cell: ({ row }) => <Role user={row.original} />,
    }),
    column.accessor('isPremium', {
      header: t('usersPage.status'),
      cell: ({ row }) => <UserStatus user={row.original} />,
    }),
    column.accessor('createdAt', {
      header: t('people.activity'),
      cell: ({ row }) => (
        <Box textStyle="xs" color="fg.muted" whiteSpace="nowrap">
          <Activity user={row.original} />
        </Box>
      ),
    }),
    column.display({
      id: 'actions',
      header: t('usersPage.actions'),
      meta: { align: 'end' },
      cell: ({ row }) => <UserActions user={row.original} onOpen={onOpen} />,
    }),
  ]);

/** An account where the columns have no room. */
export function UserCard({ user, onOpen }: { user: AdminUser; onOpen: OnOpen }) {
  return (
    <>
      <Flex gap="2" align="center">
        <UserTick user={user} />
        <Box flex="1" minW="0">
          <UserName user={user} />
        </Box>
        <UserActions user={user} onOpen={onOpen} />
      </Flex>
      <Flex gap="1.5" wrap="wrap">
        <Role user={user} />
        <UserStatus user={user} />
      </Flex>
      <ContactInfo user={user} />
      <Flex gap="3" justify="space-between" textStyle="xs" color="fg.muted">
        <Box>
          <Activity user={user} />
        </Box>
        <Box textAlign="end">
          <Text as="span">{t('usersPage.messages')}: </Text>
          <Messages user={user} />
        </Box>
      </Flex>
    </>
  );
}

function Role({ user: { isAdmin, isService } }: { user: AdminUser }) {
  return (
    <Badge variant="outline" colorPalette={isAdmin ? 'jade' : 'gray'}>
      {isService ? t('adminKeys.service') : isAdmin ? t('usersPage.admin') : t('usersPage.user')}
    </Badge>
  );
}

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
      <Text textStyle="xs" color="fg.muted" whiteSpace="nowrap" title={t('people.usedHint')}>
        {t('people.used', { count: formatNumber(quotaUsed) })}
      </Text>
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
    <>
      <Text title={formatDateTime(new Date(user.createdAt))}>{created}</Text>
      <Text title={user.lastSeenAt ? formatDateTime(new Date(user.lastSeenAt)) : undefined}>{seen}</Text>
    </>
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
    <Box minW="0" overflowWrap="anywhere">
      {email && <Email address={email} />}
      {phoneNumber && (
        <Text color={email ? 'fg.muted' : undefined} title={phoneNumber}>
          {phoneNumber}
        </Text>
      )}
    </Box>
  );
}
