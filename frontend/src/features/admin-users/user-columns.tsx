import { Badge, Box, Flex, Text } from '@chakra-ui/react';
import { ADMIN_TEXTS, TEXTS, type AdminUser } from '@tanya/contract';
import { columnHelperFor } from '../../components/tables/table-features';
import { UserActions, type UserDialogKind } from './user-actions';

const column = columnHelperFor<AdminUser>();

export const userColumns = (onOpen: (kind: UserDialogKind, user: AdminUser) => void) =>
  column.columns([
    column.accessor('username', {
      header: 'User',
      meta: { card: 'title' },
      cell: ({ row }) => <UserName user={row.original} />,
    }),
    column.display({
      id: 'contact',
      header: 'Contact Info',
      cell: ({ row }) => <ContactInfo user={row.original} />,
    }),
    column.accessor('messageCount', {
      header: 'Messages',
      meta: { align: 'end' },
      cell: ({ getValue }) => getValue().toLocaleString(),
    }),
    column.accessor('isAdmin', {
      header: 'Role',
      cell: ({ getValue }) => (
        <Badge variant="outline" colorPalette={getValue() ? 'jade' : 'gray'}>
          {getValue() ? 'Admin' : 'User'}
        </Badge>
      ),
    }),
    column.accessor('isPremium', {
      header: 'Status',
      cell: ({ row }) => <UserStatus user={row.original} />,
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { align: 'end', card: 'corner' },
      cell: ({ row }) => <UserActions user={row.original} onOpen={onOpen} />,
    }),
  ]);

function UserName({ user: { fullName, username } }: { user: AdminUser }) {
  return (
    <Box overflowWrap="anywhere">
      <Text fontWeight="medium">{fullName || username}</Text>
      {fullName && (
        <Text textStyle="xs" color="fg.muted">
          {username}
        </Text>
      )}
    </Box>
  );
}

function UserStatus({ user: { isPremium, isApproved, hasTotp } }: { user: AdminUser }) {
  return (
    <Flex gap="1.5" wrap="wrap">
      <Badge colorPalette={isPremium ? 'jade' : 'gray'}>{isPremium ? TEXTS.sidebar.premium : 'Free'}</Badge>
      {hasTotp && (
        <Badge variant="outline" title="Two-factor login">
          2FA
        </Badge>
      )}
      {!isApproved && <Badge colorPalette="orange">Pending</Badge>}
    </Flex>
  );
}

function ContactInfo({ user: { email, phoneNumber } }: { user: AdminUser }) {
  if (!email && !phoneNumber) {
    return (
      <Text as="em" color="fg.muted">
        {ADMIN_TEXTS.users.noContact}
      </Text>
    );
  }
  return (
    <Box overflowWrap="anywhere">
      {email && <Text>{email}</Text>}
      {phoneNumber && <Text color={email ? 'fg.muted' : undefined}>{phoneNumber}</Text>}
    </Box>
  );
}
