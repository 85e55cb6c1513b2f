import { Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { type AuditEntry, SYSTEM_ACTOR } from '@tanya/contract';
import { useId } from 'react';
import { formatDateTime } from '../../app/i18n/formats';
import { findText, t } from '../../app/i18n/translate';
import { useAddressFilter } from '../../components/hooks/use-address-filter';
import { ChangedValues } from '../../components/tables/changed-values';
import { HistoryPage } from '../../components/tables/history-page';
import { AUDIT_FIELDS, AuditFilters } from './audit-filters';

export default function AuditPage() {
  const [filter, change] = useAddressFilter(AUDIT_FIELDS);
  return (
    <HistoryPage<AuditEntry>
      name="audit"
      texts={{
        title: t('sidebar.auditLog'),
        sentence: t('audit.sentence'),
        list: t('audit.list'),
        loadError: t('audit.loadError'),
        none: t('audit.none'),
        noMatch: t('audit.noMatch'),
        older: t('audit.older'),
        olderError: t('audit.olderError'),
      }}
      filter={filter}
      filterFields={<AuditFilters filter={filter} onChange={change} />}
    >
      {(entry) => <AuditChange key={entry.id} entry={entry} />}
    </HistoryPage>
  );
}

function AuditChange({ entry }: { entry: AuditEntry }) {
  const headingId = useId();
  const { createdAt } = entry;
  return (
    <Stack as="li" gap="1.5" p="3" borderWidth="1px" borderRadius="l2" aria-labelledby={headingId}>
      <Flex columnGap="4" justify="space-between" wrap="wrap">
        <Heading as="h3" id={headingId} textStyle="sm" fontWeight="medium" overflowWrap="anywhere" minW="0">
          {titleOf(entry)}
        </Heading>
        <Text color="fg.muted" asChild>
          <time dateTime={createdAt}>{formatDateTime(new Date(createdAt))}</time>
        </Text>
      </Flex>
      <Text color="fg.muted" overflowWrap="anywhere">
        {byText(entry)}
      </Text>
      <ChangedValues before={entry.before} after={entry.after} describedBy={headingId} />
    </Stack>
  );
}

function byText({ actor, address }: AuditEntry): string {
  if (actor.id === SYSTEM_ACTOR) return t('audit.bySystem');
  const { username: name, key } = actor;
  return key === null ? t('audit.by', { name, address }) : t('audit.byKey', { key: key.name, name, address });
}

/** The kind of the change and the name of its target. Kinds of a newer server keep their own name. */
function titleOf({ action, target }: AuditEntry): string {
  const change = findText(`audit.did_${action.replace('.', '_')}`) ?? action;
  if (target.kind === 'settings' || target.kind === 'retention') return change;
  return `${change}: ${target.name ?? `#${target.id}`}`;
}
