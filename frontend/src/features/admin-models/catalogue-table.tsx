import { Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { CatalogueItem, ProviderConnection } from '@tanya/contract';
import { Check, Download } from 'lucide-react';
import { createContext, use, useMemo, useState } from 'react';
import { formatNumber } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { connectionsQuery } from '../../app/queries/connections.query';
import { LoadingButton } from '../../components/buttons/loading-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { FormField } from '../../components/forms/form-field';
import { SearchField } from '../../components/forms/search-field';
import { Select } from '../../components/forms/select';
import { Panel } from '../../components/layout/panel';
import { DataTable } from '../../components/tables/data-table';
import { LongText } from '../../components/tables/long-text';
import { Pager } from '../../components/tables/pager';
import {
  type Choosable,
  RowTick,
  SelectionContext,
  Tick,
  TickAll,
  TickHeader,
  useSelection,
} from '../../components/tables/selection';
import { columnHelperFor } from '../../components/tables/table-features';
import { useLocalTable } from '../../components/tables/use-local-table';
import { nameOf } from './api-source';
import { useImportModels } from './model-mutations';
import { adminModelsQuery, catalogueQuery } from './models.query';

const OPENROUTER = 'OpenRouter';

/** Imports models of a connection's list: one, or those that are ticked. */
export function CatalogueTable() {
  const { data: connections, isPending } = useQuery(connectionsQuery);
  const [opened, setOpened] = useState<string | null>(null);
  // '' stands for OpenRouter, whose models need no connection of their own.
  const chosen = opened ?? firstOf(connections);
  const connectionId = chosen === '' ? null : Number(chosen);
  const name = connections?.find(({ id }) => id === connectionId)?.name ?? OPENROUTER;
  return (
    <Panel title={t('modelsPage.importFrom', { name })}>
      <Flex mb="3" maxW="20rem">
        <FormField label={t('modelsPage.connection')}>
          <Select
            value={chosen}
            onChange={({ target }) => setOpened(target.value)}
            options={[['', OPENROUTER], ...othersOf(connections)]}
          />
        </FormField>
      </Flex>
      {/* Another connection starts with another selection. */}
      {!isPending && <Catalogue key={chosen} connectionId={connectionId} name={name} />}
    </Panel>
  );
}

const isOpenRouter = ({ kind, isBuiltIn }: ProviderConnection): boolean => isBuiltIn && kind === 'openrouter';

const othersOf = (connections: readonly ProviderConnection[] = []): (readonly [number, string])[] =>
  connections.filter((each) => !isOpenRouter(each)).map(({ id, name }) => [id, name] as const);

/** The list to begin with: that of OpenRouter, unless only others are set up. */
function firstOf(connections: readonly ProviderConnection[] = []): string {
  const ready = connections.filter(({ enabled, isConfigured }) => enabled && isConfigured);
  const first = ready.find(isOpenRouter) ?? ready[0];
  return first === undefined || isOpenRouter(first) ? '' : String(first.id);
}

interface Importing {
  /** The ids that are models already. */
  imported: ReadonlySet<string>;
  isPending: boolean;
  importOne: (id: string) => void;
}

/** Read by the cells, as the selection is. */
const ImportContext = createContext<Importing | null>(null);

function Catalogue({ connectionId, name }: { connectionId: number | null; name: string }) {
  const catalogue = useQuery(catalogueQuery(connectionId));
  const { data: models } = useQuery(adminModelsQuery);
  const imported = useMemo(() => new Set(models?.map(({ modelId }) => modelId)), [models]);
  const selection = useSelection();
  const [isDisabled, setIsDisabled] = useState(false);
  const { table, search, setSearch, pager } = useLocalTable({
    rows: catalogue.data,
    columns: useState(columns)[0],
    rowId: ({ id }) => id,
  });
  const importModels = useImportModels(connectionId, (ids) => selection.set(ids.map(toChoosable), false));
  const isPending = importModels.isPending;
  const add = (modelIds: string[]) => importModels.mutate({ modelIds, isEnabled: !isDisabled });
  const open = table
    .getFilteredRowModel()
    .rows.map(({ original: { id } }) => toChoosable(id))
    .filter(({ id }) => !imported.has(id));
  const count = selection.chosen.length;
  const hasRows = catalogue.data !== undefined && catalogue.data.length > 0;
  return (
    <SelectionContext value={selection}>
      <ImportContext value={{ imported, isPending, importOne: (id) => add([id]) }}>
        {catalogue.isError && <LoadError message={loadError(connectionId)} onRetry={catalogue.refetch} />}
        {!catalogue.isLoadingError && (
          <>
            {catalogue.data && (
              <Flex mb="3" gap="4" align="center" wrap="wrap">
                {hasRows && <SearchField label={t('modelsPage.searchCatalogue')} value={search} onChange={setSearch} />}
                <RefreshButton busy={catalogue.isFetching} onClick={() => void catalogue.refetch()} />
                {hasRows && (
                  <>
                    <TickAll rows={open} />
                    <Tick checked={isDisabled} onChange={() => setIsDisabled(!isDisabled)}>
                      {t('modelsPage.importDisabled')}
                    </Tick>
                    <LoadingButton
                      size="sm"
                      colorPalette="jade"
                      loading={isPending}
                      disabled={count === 0}
                      onClick={() => add(selection.chosen.map(({ id }) => id))}
                    >
                      {t('modelsPage.importTicked', { count })}
                    </LoadingButton>
                  </>
                )}
              </Flex>
            )}
            {importModels.data && importModels.data.skipped > 0 && (
              <Text role="status" mb="3" color="fg.muted">
                {t('modelsPage.importSkipped', { count: importModels.data.skipped })}
              </Text>
            )}
            <DataTable
              label={t('modelsPage.catalogueOf', { name })}
              table={table}
              isLoading={!catalogue.data}
              empty={search ? t('modelMenu.noMatch') : emptyText(connectionId, name)}
            />
            {pager.total > 0 && <Pager {...pager} />}
          </>
        )}
      </ImportContext>
    </SelectionContext>
  );
}

const toChoosable = (id: string): Choosable => ({ id, name: id });

const loadError = (connectionId: number | null): string =>
  connectionId === null ? t('models.catalogueError') : t('modelsPage.listError');

const emptyText = (connectionId: number | null, name: string): string =>
  connectionId === null ? t('models.catalogueEmpty') : t('modelsPage.listEmpty', { name });

const column = columnHelperFor<CatalogueItem>();

const columns = () =>
  column.columns([
    column.display({
      id: 'tick',
      header: TickHeader,
      meta: { card: 'corner' },
      cell: ({ row }) => <CatalogueTick id={row.original.id} />,
    }),
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
      header: t('common.name'),
      meta: { card: 'title' },
      enableSorting: true,
      enableGlobalFilter: true,
    }),
    column.accessor('context_length', {
      header: t('modelsPage.contextLength'),
      meta: { align: 'end' },
      enableSorting: true,
      cell: ({ getValue }) => {
        const tokens = getValue();
        return tokens === null ? t('modelsPage.contextUnknown') : formatNumber(tokens);
      },
    }),
    column.display({
      id: 'action',
      header: t('modelsPage.action'),
      meta: { align: 'end', card: 'footer' },
      cell: ({ row }) => <ImportButton id={row.original.id} />,
    }),
  ]);

function CatalogueTick({ id }: { id: string }) {
  const { imported } = use(ImportContext)!;
  return <RowTick id={id} name={id} isFixed={imported.has(id) ? 'ticked' : undefined} />;
}

function ImportButton({ id }: { id: string }) {
  const { imported, isPending, importOne } = use(ImportContext)!;
  const isImported = imported.has(id);
  return (
    <LoadingButton size="xs" variant="outline" disabled={isImported || isPending} onClick={() => importOne(id)}>
      {isImported ? <Check aria-hidden /> : <Download aria-hidden />}
      {isImported ? t('modelsPage.imported') : t('modelsPage.import')}
    </LoadingButton>
  );
}
