import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS, TEXTS, type CatalogueItem } from '@tanya/contract';
import { Check, Download } from 'lucide-react';
import { DataTable, type Column } from '../../components/tables/data-table';
import { LoadError } from '../../components/feedback/load-error';
import { LongText } from '../../components/layout/long-text';
import { Pager } from '../../components/tables/pager';
import { Panel } from '../../components/layout/panel';
import { RefreshButton } from '../../components/tables/refresh-button';
import { SearchField } from '../../components/tables/search-field';
import { LoadingButton } from '../../components/feedback/loading-button';
import { useLocalTable } from '../../components/tables/use-local-table';
import { nameOf, providerOf } from './api-source';
import { useCreateModel } from './model-mutations';
import { adminModelsQuery, catalogueQuery } from './models.query';

const searchable = (item: CatalogueItem) => [item.id, item.name];
const valueOf = (item: CatalogueItem, column: string) =>
  column === 'context' ? item.context_length : column === 'name' ? nameOf(item) : item.id;

export function CatalogueTable() {
  const catalogue = useQuery(catalogueQuery);
  const { data: models } = useQuery(adminModelsQuery);
  const table = useLocalTable({ rows: catalogue.data, searchable, valueOf });
  const known = new Set(models?.map((model) => model.modelId));

  const columns: Column<CatalogueItem>[] = [
    ...COLUMNS,
    {
      key: 'action',
      header: 'Action',
      inCard: 'footer',
      align: 'end',
      cell: (item) => <ImportButton item={item} imported={known.has(item.id)} />,
    },
  ];
  return (
    <Panel
      title="Import from OpenRouter"
      action={<RefreshButton busy={catalogue.isFetching} onClick={() => void catalogue.refetch()} />}
    >
      {catalogue.isError ? (
        <LoadError message={TEXTS.models.catalogueError} onRetry={() => void catalogue.refetch()} />
      ) : (
        <>
          {catalogue.data && catalogue.data.length > 0 && (
            <Flex mb="3">
              <SearchField label="Search the catalogue" value={table.search} onChange={table.setSearch} />
            </Flex>
          )}
          <DataTable
            label="OpenRouter models"
            columns={columns}
            rows={table.shown}
            rowKey={(item) => item.id}
            empty={table.search ? 'No model matches your search.' : TEXTS.models.catalogueEmpty}
            sort={table.sort}
            onSort={table.setSort}
          />
          {table.pager.total > 0 && <Pager {...table.pager} />}
        </>
      )}
    </Panel>
  );
}

const COLUMNS: Column<CatalogueItem>[] = [
  {
    key: 'id',
    header: 'Model ID',
    sortable: true,
    cell: ({ id }) => (
      <LongText fontFamily="mono" textStyle="xs">
        {id}
      </LongText>
    ),
  },
  { key: 'name', header: 'Name', inCard: 'title', sortable: true, cell: (item) => nameOf(item) },
  {
    key: 'context',
    header: 'Context Length',
    sortable: true,
    align: 'end',
    cell: (item) => item.context_length.toLocaleString(),
  },
];

function ImportButton({ item, imported }: { item: CatalogueItem; imported: boolean }) {
  const create = useCreateModel();
  const add = () =>
    create.mutate({
      modelId: item.id,
      name: nameOf(item),
      provider: providerOf(item.id),
      contextLength: item.context_length || null,
      ...(item.description && { description: item.description.slice(0, LIMITS.modelDescription.max) }),
    });
  return (
    <LoadingButton size="xs" variant="outline" disabled={imported || create.isPending} onClick={add}>
      {imported ? <Check aria-hidden /> : <Download aria-hidden />}
      {imported ? 'Imported' : 'Import'}
    </LoadingButton>
  );
}
