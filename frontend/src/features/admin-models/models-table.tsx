import { Badge, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS, type AdminModel } from '@tanya/contract';
import { useState } from 'react';
import { DataTable, type Column } from '../../components/tables/data-table';
import { LabelledSwitch } from '../../components/forms/labelled-switch';
import { LoadError } from '../../components/feedback/load-error';
import { LongText } from '../../components/layout/long-text';
import { Pager } from '../../components/tables/pager';
import { Panel } from '../../components/layout/panel';
import { RefreshButton } from '../../components/tables/refresh-button';
import { SearchField } from '../../components/tables/search-field';
import { useLocalTable } from '../../components/tables/use-local-table';
import { apiSource } from './api-source';
import { DeleteModelDialog } from './delete-model-dialog';
import { EditModelDialog } from './edit-model-dialog';
import { ModelActions } from './model-actions';
import { useSwitchApi } from './model-mutations';
import { adminModelsQuery } from './models.query';

const searchable = (model: AdminModel) => [model.modelId, model.name, model.provider];

const valueOf = (model: AdminModel, column: string) => {
  if (column === 'source') return apiSource(model.modelId);
  if (column === 'status') return model.isEnabled;
  if (column === 'api') return model.isApiEnabled;
  return column === 'name' ? model.name : column === 'provider' ? model.provider : model.modelId;
};

export function ModelsTable() {
  const models = useQuery(adminModelsQuery);
  const table = useLocalTable({ rows: models.data, searchable, valueOf });
  const [editing, setEditing] = useState<AdminModel | null>(null);
  const [deleting, setDeleting] = useState<AdminModel | null>(null);

  const columns: Column<AdminModel>[] = [
    ...COLUMNS,
    {
      key: 'action',
      header: 'Action',
      inCard: 'footer',
      align: 'end',
      cell: (model) => <ModelActions model={model} onEdit={setEditing} onDelete={setDeleting} />,
    },
  ];

  return (
    <Panel
      title="Manage Models"
      action={<RefreshButton busy={models.isFetching} onClick={() => void models.refetch()} />}
    >
      {models.isError ? (
        <LoadError message={TEXTS.models.loadError} onRetry={() => void models.refetch()} />
      ) : (
        <>
          {models.data && models.data.length > 0 && (
            <Flex mb="3">
              <SearchField label="Search models" value={table.search} onChange={table.setSearch} />
            </Flex>
          )}
          <DataTable
            label="Models"
            columns={columns}
            rows={table.shown}
            rowKey={(model) => model.id}
            empty={table.search ? 'No model matches your search.' : TEXTS.models.empty}
            sort={table.sort}
            onSort={table.setSort}
          />
          {table.pager.total > table.pager.pageSize && <Pager {...table.pager} />}
        </>
      )}
      {editing && <EditModelDialog model={editing} onClose={() => setEditing(null)} />}
      {deleting && <DeleteModelDialog model={deleting} onClose={() => setDeleting(null)} />}
    </Panel>
  );
}

const COLUMNS: Column<AdminModel>[] = [
  {
    key: 'modelId',
    header: 'Model ID',
    sortable: true,
    cell: ({ modelId }) => (
      <LongText fontFamily="mono" textStyle="xs">
        {modelId}
      </LongText>
    ),
  },
  {
    key: 'name',
    inCard: 'title',
    header: 'Name',
    sortable: true,
    cell: ({ name, isPremium }) => (
      <Flex gap="2" align="center" wrap="wrap">
        {name}
        {isPremium && (
          <Badge size="xs" variant="outline">
            {TEXTS.sidebar.premium}
          </Badge>
        )}
      </Flex>
    ),
  },
  { key: 'provider', header: 'Provider', sortable: true, cell: ({ provider }) => provider },
  {
    key: 'source',
    header: 'API Source',
    sortable: true,
    cell: ({ modelId }) => (
      <Badge variant="outline" colorPalette="gray">
        {apiSource(modelId)}
      </Badge>
    ),
  },
  {
    key: 'status',
    header: 'Status',
    sortable: true,
    cell: ({ isEnabled }) => (
      <Badge colorPalette={isEnabled ? 'jade' : 'gray'}>{isEnabled ? 'Enabled' : 'Disabled'}</Badge>
    ),
  },
  { key: 'api', header: 'API', sortable: true, cell: (model) => <ApiAccess model={model} /> },
];

function ApiAccess({ model }: { model: AdminModel }) {
  const change = useSwitchApi(model.id);
  return (
    <Flex align="center" gap="2" justify={{ base: 'end', sm: 'start' }}>
      <LabelledSwitch
        label={`API access of ${model.name}`}
        checked={model.isApiEnabled}
        pending={change.isPending}
        onChange={(checked) => change.mutate(checked)}
      />
      <Badge colorPalette={model.isApiEnabled ? 'jade' : 'gray'}>
        {model.isApiEnabled ? 'API Enabled' : 'API Disabled'}
      </Badge>
    </Flex>
  );
}
