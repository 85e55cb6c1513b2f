import { Flex, Heading, Stack, Text } from '@chakra-ui/react';
import { AUDIT_TARGETS, type AuditEntry, type AuditTargetKind, SEARCH_QUERY_MAX, SYSTEM_ACTOR } from '@tanya/contract';
import { useId } from 'react';
import { formatDateTime } from '../../app/i18n/formats';
import { findText, t } from '../../app/i18n/translate';
import { type AddressFilter, useAddressFilter } from '../../components/tables/use-address-filter';
import { ChangedValues } from '../../components/tables/changed-values';
import { HistoryPage } from '../../components/tables/history-page';
import { FilterDays, FilterField, FilterText } from '../../components/forms/filter-fields';
import { SearchField } from '../../components/forms/search-field';
import { Select } from '../../components/forms/select';

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

/** Kinds of targets of which there is one, or whose targets have neither a name nor an id. */
const ONE_OF_A_KIND: readonly AuditTargetKind[] = ['settings', 'retention', 'backup'];

/** The kind of the change and the name of its target. Kinds of a newer server keep their own name. */
function titleOf({ action, target }: AuditEntry): string {
  const change = findText(`audit.did_${action.replace('.', '_')}`) ?? action;
  if (ONE_OF_A_KIND.includes(target.kind)) return change;
  return `${change}: ${target.name ?? `#${target.id}`}`;
}

const AUDIT_FIELDS = ['query', 'actor', 'target', 'from', 'to'] as const;

type AuditFilter = AddressFilter<(typeof AUDIT_FIELDS)[number]>;

interface AuditFiltersProps {
  filter: AuditFilter;
  onChange: (fields: Partial<AuditFilter>) => void;
}

function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  return (
    <Flex mb="4" columnGap="3" rowGap="2" wrap="wrap" align="end">
      <SearchField label={t('audit.search')} value={filter.query} onChange={(query) => onChange({ query })} />
      <FilterText
        label={t('audit.actor')}
        value={filter.actor}
        maxLength={SEARCH_QUERY_MAX}
        onChange={(actor) => onChange({ actor })}
      />
      <FilterField label={t('audit.kind')}>
        <Select
          root={{ size: 'sm' }}
          value={filter.target}
          onChange={(event) => onChange({ target: event.target.value })}
          options={[
            ['', t('audit.all')],
            ...AUDIT_TARGETS.map((kind) => [kind, findText(`audit.kind_${kind}`) ?? kind] as const),
          ]}
        />
      </FilterField>
      <FilterDays days={filter} onChange={onChange} />
    </Flex>
  );
}
