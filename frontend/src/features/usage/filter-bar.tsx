import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { USAGE_CHANNELS, USAGE_PLANS, type UsageFilter, type UsageReport } from '@tanya/contract';
import { X } from 'lucide-react';
import { findText, t } from '../../app/i18n/translate';
import { connectionsQuery } from '../../app/queries/connections.query';
import { FormField } from '../../components/forms/form-field';
import { Select } from '../../components/forms/select';
import { filterOf, filterParts } from './usage-filter';

/** The filter of the usage page. It is in the address, as the period, so that links and a reload keep it. */
export function useUsageFilter() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (name: keyof UsageFilter, value: string | undefined) =>
    void navigate({ to: '.', search: { ...search, [name]: value || undefined } as never });
  return { filter: filterOf(search), set };
}

interface FilterBarProps {
  filter: UsageFilter;
  /** Names the person and the key that the filter has by their ids. */
  report: UsageReport | undefined;
  onSet: (name: keyof UsageFilter, value: string | undefined) => void;
}

/** Narrows the report; a person, a key and a model are chosen by their names in its lists. */
export function FilterBar({ filter, report, onSet }: FilterBarProps) {
  const { data: connections = [] } = useQuery(connectionsQuery);
  const chosen = filterParts(filter).filter(([name]) => ['userId', 'keyId', 'modelId'].includes(name));
  return (
    <Flex gap="3" wrap="wrap" align="end">
      <FilterSelect
        label={t('usage.plan')}
        value={filter.plan}
        options={USAGE_PLANS.map((plan) => [plan, findText(`usage.plan_${plan}`) ?? plan])}
        onChange={(plan) => onSet('plan', plan)}
      />
      <FilterSelect
        label={t('usage.channel')}
        value={filter.channel}
        options={USAGE_CHANNELS.map((channel) => [channel, findText(`usage.channel_${channel}`) ?? channel])}
        onChange={(channel) => onSet('channel', channel)}
      />
      <FilterSelect
        label={t('modelsPage.connection')}
        value={filter.connectionId?.toString()}
        options={connections.map(({ id, name }) => [String(id), name])}
        onChange={(id) => onSet('connectionId', id)}
      />
      {chosen.map(([name, value]) => {
        const text = nameOf(name, value, report);
        return (
          <Button key={name} size="sm" variant="subtle" onClick={() => onSet(name, undefined)}>
            <Text as="span" truncate maxW="16rem">
              {text}
            </Text>
            <X aria-label={t('usage.removeFilter', { name: text })} />
          </Button>
        );
      })}
    </Flex>
  );
}

interface FilterSelectProps {
  label: string;
  value: string | undefined;
  options: [value: string, text: string][];
  onChange: (value: string) => void;
}

const FilterSelect = ({ label, value = '', options, onChange }: FilterSelectProps) => (
  // Two beside each other on a phone.
  <Box width={{ base: 'calc(50% - {spacing.1.5})', sm: '11rem' }}>
    <FormField label={label}>
      <Select
        // A select shows a value only while it has that option.
        key={options.length}
        root={{ size: 'sm' }}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        options={[['', t('usage.all')], ...options]}
      />
    </FormField>
  </Box>
);

function nameOf(name: keyof UsageFilter, value: string, report: UsageReport | undefined): string {
  if (name === 'userId') {
    const username = report?.topPeople.find(({ userId }) => String(userId) === value)?.username;
    return `${t('usage.person')}: ${username ?? value}`;
  }
  if (name === 'keyId') {
    const key = report?.topKeys.find(({ apiKeyId }) => String(apiKeyId) === value)?.name;
    return `${t('usage.key')}: ${key ?? value}`;
  }
  return `${t('common.model')}: ${value}`;
}
