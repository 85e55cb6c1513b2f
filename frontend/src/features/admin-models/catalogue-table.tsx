import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { LIMITS, type CatalogueItem } from '@tanya/contract';
import { Check, Download } from 'lucide-react';
import { useState } from 'react';
import { formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { SearchField } from '../../components/forms/search-field';
import { Panel } from '../../components/layout/panel';
import { DataTable } from '../../components/tables/data-table';
import { LongText } from '../../components/tables/long-text';
import { Pager } from '../../components/tables/pager';
import { columnHelperFor } from '../../components/tables/table-features';
import { useLocalTable } from '../../components/tables/use-local-table';
import { nameOf, providerOf } from './api-source';
import { useCreateModel } from './model-mutations';
import { adminModelsQuery, catalogueQuery } from './models.query';

export function CatalogueTable() {
  const catalogue = useQuery(catalogueQuery);
  const { table, search, setSearch, pager } = useLocalTable({
    rows: catalogue.data,
    columns: useState(columns)[0],
    rowId: ({ id }) => id,
  });
  return (
    <Panel
      title={t('modelsPage.importTitle')}
      action={<RefreshButton busy={catalogue.isFetching} onClick={() => void catalogue.refetch()} />}
    >
      {catalogue.isError && <LoadError message={t('models.catalogueError')} onRetry={() => void catalogue.refetch()} />}
      {!catalogue.isLoadingError && (
        <>
          {catalogue.data && catalogue.data.length > 0 && (
            <Flex mb="3">
              <SearchField label={t('modelsPage.searchCatalogue')} value={search} onChange={setSearch} />
            </Flex>
          )}
          <DataTable
            label={t('modelsPage.catalogue')}
            table={table}
            isLoading={!catalogue.data}
            empty={search ? t('modelsPage.noMatch') : t('models.catalogueEmpty')}
          />
          {pager.total > 0 && <Pager {...pager} />}
        </>
      )}
    </Panel>
  );
}

const column = columnHelperFor<CatalogueItem>();

const columns = () =>
  column.columns([
    column.accessor('id', {
      header: t('modelsPage.modelId'),
      enableSorting: true,
      enableGlobalFilter: true,
      cell: ({ getValue }) => (
        <LongText fontFamily="mono" textStyle="xs">
          {getValue()}
        </LongText>
      ),
    }),
    column.accessor(nameOf, {
      id: 'name',
      header: t('modelsPage.name'),
      meta: { card: 'title' },
      enableSorting: true,
      enableGlobalFilter: true,
    }),
    column.accessor('context_length', {
      header: t('modelsPage.contextLength'),
      meta: { align: 'end' },
      enableSorting: true,
      cell: ({ getValue }) => formatNumber(getValue()),
    }),
    column.display({
      id: 'action',
      header: t('modelsPage.action'),
      meta: { align: 'end', card: 'footer' },
      cell: ({ row }) => <ImportButton item={row.original} />,
    }),
  ]);

function ImportButton({ item }: { item: CatalogueItem }) {
  const create = useCreateModel();
  const { data: isImported } = useQuery({
    ...adminModelsQuery,
    select: (models) => models.some(({ modelId }) => modelId === item.id),
  });
  const { pricing, inputModalities, outputModalities, supportedParameters, reasoningEfforts } = item;
  const add = () =>
    create.mutate({
      modelId: item.id,
      name: nameOf(item),
      provider: providerOf(item.id),
      contextLength: item.context_length || null,
      pricing,
      inputModalities,
      outputModalities,
      supportedParameters,
      reasoningEfforts,
      ...(item.description && { description: item.description.slice(0, LIMITS.modelDescription.max) }),
    });
  return (
    <LoadingButton size="xs" variant="outline" disabled={isImported || create.isPending} onClick={add}>
      {isImported ? <Check aria-hidden /> : <Download aria-hidden />}
      {isImported ? t('modelsPage.imported') : t('modelsPage.import')}
    </LoadingButton>
  );
}
