import { Badge, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ADMIN_TEXTS, TEXTS, type AdminModel } from '@tanya/contract';
import { useMemo, useState } from 'react';
import { connectionsQuery } from '../../app/queries/connections.query';
import { CopyButton } from '../../components/buttons/copy-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { LabelledSwitch } from '../../components/forms/labelled-switch';
import { SearchField } from '../../components/forms/search-field';
import { Panel } from '../../components/layout/panel';
import { DataTable } from '../../components/tables/data-table';
import { LongText } from '../../components/tables/long-text';
import { Pager } from '../../components/tables/pager';
import { columnHelperFor } from '../../components/tables/table-features';
import { useLocalTable } from '../../components/tables/use-local-table';
import { apiSource } from './api-source';
import { DeleteModelDialog } from './delete-model-dialog';
import { EditModelDialog } from './edit-model-dialog';
import { ModelActions } from './model-actions';
import { useSwitchApi } from './model-mutations';
import { adminModelsQuery } from './models.query';

export function ModelsTable() {
  const models = useQuery(adminModelsQuery);
  const [editing, setEditing] = useState<AdminModel | null>(null);
  const [deleting, setDeleting] = useState<AdminModel | null>(null);
  const columns = useMemo(() => columnsWith({ onEdit: setEditing, onDelete: setDeleting }), []);
  const { table, search, setSearch, pager } = useLocalTable({
    rows: models.data,
    columns,
    rowId: (model) => String(model.id),
  });

  return (
    <Panel
      title="Manage Models"
      action={<RefreshButton busy={models.isFetching} onClick={() => void models.refetch()} />}
    >
      {models.isError ? (
        <LoadError message={ADMIN_TEXTS.models.loadError} onRetry={() => void models.refetch()} />
      ) : (
        <>
          {models.data && models.data.length > 0 && (
            <Flex mb="3">
              <SearchField label="Search models" value={search} onChange={setSearch} />
            </Flex>
          )}
          <DataTable
            label="Models"
            table={table}
            isLoading={!models.data}
            empty={search ? 'No model matches your search.' : ADMIN_TEXTS.models.empty}
          />
          {pager.total > pager.pageSize && <Pager {...pager} />}
        </>
      )}
      {editing && <EditModelDialog model={editing} onClose={() => setEditing(null)} />}
      {deleting && <DeleteModelDialog model={deleting} onClose={() => setDeleting(null)} />}
    </Panel>
  );
}

interface RowActions {
  onEdit: (model: AdminModel) => void;
  onDelete: (model: AdminModel) => void;
}

const column = columnHelperFor<AdminModel>();

const columnsWith = (actions: RowActions) =>
  column.columns([
    column.accessor('modelId', {
      header: 'Model ID',
      enableSorting: true,
      enableGlobalFilter: true,
      cell: ({ getValue }) => <ModelId id={getValue()} />,
    }),
    column.accessor('displayName', {
      header: 'Name',
      meta: { card: 'title' },
      enableSorting: true,
      enableGlobalFilter: true,
      cell: ({ row }) => <ModelName model={row.original} />,
    }),
    column.accessor('displayProvider', { header: 'Provider', enableSorting: true, enableGlobalFilter: true }),
    column.accessor(({ modelId }) => apiSource(modelId), {
      id: 'source',
      header: 'API Source',
      enableSorting: true,
      cell: ({ row }) => <ModelSource model={row.original} />,
    }),
    column.accessor('isEnabled', {
      header: 'Status',
      enableSorting: true,
      cell: ({ getValue }) => (
        <Badge colorPalette={getValue() ? 'jade' : 'gray'}>{getValue() ? 'Enabled' : 'Disabled'}</Badge>
      ),
    }),
    column.accessor('isApiEnabled', {
      header: 'API',
      enableSorting: true,
      cell: ({ row }) => <ApiAccess model={row.original} />,
    }),
    column.display({
      id: 'action',
      header: 'Action',
      meta: { align: 'end', card: 'footer' },
      cell: ({ row }) => <ModelActions model={row.original} {...actions} />,
    }),
  ]);

/** The id takes little width; the tooltip and the copy button have all of it. */
function ModelId({ id }: { id: string }) {
  return (
    <Flex align="center" justify={{ base: 'end', sm: 'start' }} minW="0">
      <LongText fontFamily="mono" textStyle="xs" maxW={{ base: '12rem', sm: '7rem', xl: '12rem' }}>
        {id}
      </LongText>
      <CopyButton text={() => id} label={`Copy ${id}`} />
    </Flex>
  );
}

function ModelName({ model: { displayName, isPremium } }: { model: AdminModel }) {
  return (
    <Flex gap="2" align="center" minW="9rem" maxW="18rem">
      <Text lineClamp="2" overflowWrap="anywhere" title={displayName}>
        {displayName}
      </Text>
      {isPremium && (
        <Badge size="xs" variant="outline">
          {TEXTS.sidebar.premium}
        </Badge>
      )}
    </Flex>
  );
}

/** The chosen connection, else the API that serves the model. */
function ModelSource({ model }: { model: AdminModel }) {
  const { data: name } = useQuery({
    ...connectionsQuery,
    select: (all) => all.find(({ id }) => id === model.connectionId)?.name,
  });
  return (
    <Badge variant="outline" colorPalette="gray" maxW="8rem">
      <Text as="span" truncate>
        {name ?? apiSource(model.modelId)}
      </Text>
    </Badge>
  );
}

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
