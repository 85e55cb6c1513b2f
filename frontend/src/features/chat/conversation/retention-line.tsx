import { Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { OwnRetention } from '@tanya/contract';
import { Link } from '@tanstack/react-router';
import { api } from '../../../app/api/api-client';
import { formatDate } from '../../../app/i18n/formats';
import { RichText } from '../../../app/i18n/rich-text';
import { t } from '../../../app/i18n/translate';
import { currentUserQuery } from '../../../app/queries/user.query';

/** Tells a person that chats will be deleted earlier, from the notice until that begins. */
export function RetentionLine() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: retention } = useQuery({
    queryKey: ['retention', user?.id ?? null],
    queryFn: () => api.get<OwnRetention>('/api/user/retention'),
    enabled: user !== undefined,
  });
  const next = retention?.next;
  if (!next || next.days === null) return null;
  const text = t('retentionLine.text', {
    days: next.days,
    day: formatDate(new Date(next.effectiveAt)),
    pinned: next.exemptPinned ? t('retentionLine.pinnedStay') : t('retentionLine.pinnedGo'),
  });
  return (
    <Flex role="note" align="center" gap="2" px="4" py="1" bg="bg.info" color="fg.muted">
      <Text flex="1" textAlign="center" textStyle={{ base: 'xs', md: 'sm' }}>
        <RichText text={text} tags={{ account: (label) => <AccountLink>{label}</AccountLink> }} />
      </Text>
    </Flex>
  );
}

function AccountLink({ children }: { children: string }) {
  return (
    <Link to="/account/{-$tab}" style={{ textDecoration: 'underline' }}>
      {children}
    </Link>
  );
}
