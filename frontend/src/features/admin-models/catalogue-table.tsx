import { Checkbox, Flex, Text } from '@chakra-ui/react';
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
import { columnHelperFor } from '../../components/tables/table-features';
import { useLocalTable } from '../../components/tables/use-local-table';
import { nameOf } from './api-source';
import { useImportModels } from './model-mutations';
import { adminModelsQuery, catalogueQuery } from './models.query';

const OPENROUTER = 'OpenRouter';

/** Imports models of a connection's list: one, or those that are ticked. */
export function CatalogueTable() {
  const { data: connections } = useQuery(connectionsQuery);
  // '' stands for OpenRouter, whose models need no connection of their own.
  const [chosen, setChosen] = useState('');
  const connectionId = chosen === '' ? null : Number(chosen);
  const name = connections?.find(({ id }) => id === connectionId)?.name ?? OPENROUTER;
  return (
    <Panel title={t('modelsPage.importFrom', { name })}>
      <Flex mb="3" maxW="20rem">
        <FormField label={t('modelsPage.connection')}>
          <Select
            value={chosen}
            onChange={({ target }) => setChosen(target.value)}
            options={[['', OPENROUTER], ...othersOf(connections)]}
          />
        </FormField>
      </Flex>
      {/* Another connection starts with another selection. */}
      <Catalogue key={chosen} connectionId={connectionId} name={name} />
    </Panel>
  );
}

const othersOf = (connections: readonly ProviderConnection[] = []): (readonly [number, string])[] =>
  connections
    .filter(({ kind, isBuiltIn }) => !(isBuiltIn && kind === 'openrouter'))
    .map(({ id, name }) => [id, name] as const);

interface Selection {
  ticked: ReadonlySet<string>;
  /** The ids that are models already. */
  imported: ReadonlySet<string>;
  isPending: boolean;
  toggle: (id: string) => void;
  importOne: (id: string) => void;
}

/** Cells read it here: columns that change would take the focus from a box that is being ticked. */
const SelectionContext = createContext<Selection | null>(null);

function Catalogue({ connectionId, name }: { connectionId: number | null; name: string }) {
  const catalogue = useQuery(catalogueQuery(connectionId));
  const { data: models } = useQuery(adminModelsQuery);
  const imported = useMemo(() => new Set(models?.map(({ modelId }) => modelId)), [models]);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [isDisabled, setIsDisabled] = useState(false);
  const { table, search, setSearch, pager } = useLocalTable({
    rows: catalogue.data,
    columns: useState(columns)[0],
    rowId: ({ id }) => id,
  });
  const importModels = useImportModels(connectionId, () => setTicked(new Set()));
  const isPending = importModels.isPending;
  const add = (modelIds: string[]) => importModels.mutate({ modelIds, isEnabled: !isDisabled });
  const open = table
    .getFilteredRowModel()
    .rows.map(({ original }) => original.id)
    .filter((id) => !imported.has(id));
  const areAllTicked = open.length > 0 && open.every((id) => ticked.has(id));
  const tick = (ids: readonly string[], isTicked: boolean) => {
    const changed = new Set(ticked);
    for (const id of ids) {
      if (isTicked) changed.add(id);
      else changed.delete(id);
    }
    setTicked(changed);
  };
  return (
    <SelectionContext
      value={{ ticked, imported, isPending, toggle: (id) => tick([id], !ticked.has(id)), importOne: (id) => add([id]) }}
    >
      {catalogue.isError && <LoadError message={loadError(connectionId)} onRetry={() => void catalogue.refetch()} />}
      {!catalogue.isLoadingError && (
        <>
          {catalogue.data && catalogue.data.length > 0 && (
            <Flex mb="3" gap="4" align="center" wrap="wrap">
              <SearchField label={t('modelsPage.searchCatalogue')} value={search} onChange={setSearch} />
              <RefreshButton busy={catalogue.isFetching} onClick={() => void catalogue.refetch()} />
              <Tick checked={areAllTicked} disabled={open.length === 0} onChange={() => tick(open, !areAllTicked)}>
                {t('modelsPage.tickAll', { count: open.length })}
              </Tick>
              <Tick checked={isDisabled} onChange={() => setIsDisabled(!isDisabled)}>
                {t('modelsPage.importDisabled')}
              </Tick>
              <LoadingButton
                size="sm"
                colorPalette="jade"
                loading={isPending}
                disabled={ticked.size === 0}
                onClick={() => add([...ticked])}
              >
                {t('modelsPage.importTicked', { count: ticked.size })}
              </LoadingButton>
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
            empty={search ? t('modelsPage.noMatch') : emptyText(connectionId, name)}
          />
          {pager.total > 0 && <Pager {...pager} />}
        </>
      )}
    </SelectionContext>
  );
}

const loadError = (connectionId: number | null): string =>
  connectionId === null ? t('models.catalogueError') : t('modelsPage.listError');

const emptyText = (connectionId: number | null, name: string): string =>
  connectionId === null ? t('models.catalogueEmpty') : t('modelsPage.listEmpty', { name });

interface TickProps {
  checked: boolean;
  disabled?: boolean;
  label?: string;
  onChange: () => void;
  children?: string;
}

const Tick = ({ checked, disabled, label, onChange, children }: TickProps) => (
  <Checkbox.Root size="sm" colorPalette="jade" checked={checked} disabled={disabled} onCheckedChange={onChange}>
    <Checkbox.HiddenInput aria-label={label} />
    <Checkbox.Control />
    {children && <Checkbox.Label>{children}</Checkbox.Label>}
  </Checkbox.Root>
);

const column = columnHelperFor<CatalogueItem>();

const columns = () =>
  column.columns([
    column.display({
      id: 'tick',
      header: t('modelsPage.tick'),
      meta: { card: 'corner' },
      cell: ({ row }) => <RowTick id={row.original.id} />,
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
      cell: ({ row }) => <ImportButton id={row.original.id} />,
    }),
  ]);

function RowTick({ id }: { id: string }) {
  const { ticked, imported, toggle } = use(SelectionContext)!;
  const isImported = imported.has(id);
  return (
    <Tick
      label={t('modelsPage.tickOne', { id })}
      checked={isImported || ticked.has(id)}
      disabled={isImported}
      onChange={() => toggle(id)}
    />
  );
}

function ImportButton({ id }: { id: string }) {
  const { imported, isPending, importOne } = use(SelectionContext)!;
  const isImported = imported.has(id);
  return (
    <LoadingButton size="xs" variant="outline" disabled={isImported || isPending} onClick={() => importOne(id)}>
      {isImported ? <Check aria-hidden /> : <Download aria-hidden />}
      {isImported ? t('modelsPage.imported') : t('modelsPage.import')}
    </LoadingButton>
  );
}
