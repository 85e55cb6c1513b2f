import { Box, Button, Skeleton, Stack, Table, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { AccessMode, AdminModel, Group } from '@tanya/contract';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
import { LoadError } from '../../components/feedback/load-error';
import { accessOptions } from '../../components/forms/access-fields';
import { SearchField } from '../../components/forms/search-field';
import { Select } from '../../components/forms/select';
import { Panel } from '../../components/layout/panel';
import { useChangeAccess } from './group-mutations';
import { groupModelsQuery } from './group-models.query';

/** Rows that are shown at first; each press shows as many more. */
const ROWS = 50;

/** Which groups may use which models. Changes are saved at once. */
export function AccessMatrix({ groups }: { groups: Group[] }) {
  const models = useQuery({ ...groupModelsQuery, refetchOnMount: 'always' });
  const [search, setSearch] = useState('');
  const [most, setMost] = useState(ROWS);
  const words = search.trim().toLowerCase();
  const found = models.data?.filter(({ name, modelId }) => `${name} ${modelId}`.toLowerCase().includes(words));
  return (
    <Panel title={t('groups.matrix')} hint={t('groups.matrixHint')}>
      <Stack gap="3">
        <SearchField label={t('groups.searchModels')} value={search} onChange={setSearch} />
        {models.isPending && <Skeleton height="8rem" role="status" aria-label={t('groups.modelsLoading')} />}
        {models.isLoadingError && <LoadError message={t('groups.modelsError')} onRetry={models.refetch} />}
        <Box
          role="region"
          aria-label={t('table.scrollable', { label: t('groups.matrix') })}
          tabIndex={0}
          overflowX="auto"
        >
          <Table.Root size="sm" aria-label={t('groups.matrix')}>
            <Table.Header>
              <Table.Row>
                <Table.ColumnHeader>{t('common.model')}</Table.ColumnHeader>
                <Table.ColumnHeader minW="10rem">{t('groups.access')}</Table.ColumnHeader>
                {groups.map(({ id, name }) => (
                  <Table.ColumnHeader key={id} textAlign="center" minW="6rem" maxW="10rem" overflowWrap="anywhere">
                    {name}
                  </Table.ColumnHeader>
                ))}
              </Table.Row>
            </Table.Header>
            <Table.Body>
              {found?.slice(0, most).map((model) => (
                <ModelRow key={model.id} model={model} groups={groups} />
              ))}
            </Table.Body>
          </Table.Root>
        </Box>
        {found?.length === 0 && <Text color="fg.muted">{t('modelMenu.noMatch')}</Text>}
        {found && found.length > most && (
          <Button alignSelf="start" variant="outline" onClick={() => setMost(most + ROWS)}>
            {t('groups.more')}
          </Button>
        )}
      </Stack>
    </Panel>
  );
}

function ModelRow({ model, groups }: { model: AdminModel; groups: Group[] }) {
  const change = useChangeAccess(model);
  const { access, groupIds } = model;
  const toggle = (id: number) =>
    change.mutate({
      access,
      groupIds: groupIds.includes(id) ? groupIds.filter((one) => one !== id) : [...groupIds, id],
    });
  return (
    <Table.Row>
      <Table.ColumnHeader scope="row" minW="10rem" overflowWrap="anywhere">
        {model.name}
      </Table.ColumnHeader>
      <Table.Cell>
        <Select
          root={{ size: 'sm' }}
          aria-label={t('groups.accessOf', { name: model.name })}
          value={access}
          options={accessOptions()}
          onChange={(event) => change.mutate({ access: event.target.value as AccessMode, groupIds })}
        />
      </Table.Cell>
      {groups.map(({ id, name }) => (
        <Table.Cell key={id} textAlign="center">
          <input
            type="checkbox"
            aria-label={t('groups.cell', { group: name, model: model.name })}
            checked={access === 'groups' && groupIds.includes(id)}
            disabled={access !== 'groups'}
            onChange={() => toggle(id)}
          />
        </Table.Cell>
      ))}
    </Table.Row>
  );
}
