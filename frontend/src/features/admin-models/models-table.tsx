import { Badge, Box, Flex, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type AdminModel, LIMITS, type ModelProblem, type ModelUses, type ProviderConnection } from '@tanya/contract';
import { Check } from 'lucide-react';
import { useMemo, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { connectionsQuery } from '../../app/queries/connections.query';
import { CopyButton } from '../../components/buttons/copy-button';
import { RefreshButton } from '../../components/buttons/refresh-button';
import { LoadError } from '../../components/feedback/load-error';
import { LabelledSwitch } from '../../components/forms/labelled-switch';
import { SearchField } from '../../components/forms/search-field';
import { Panel } from '../../components/layout/panel';
import { DataTable } from '../../components/tables/data-table';
import { LongText } from '../../components/tables/long-text';
import { PAGE_SIZES, Pager } from '../../components/tables/pager';
import { RowTick, SelectionBar, SelectionContext, TickHeader, useSelection } from '../../components/tables/selection';
import { columnHelperFor } from '../../components/tables/table-features';
import { useLocalTable } from '../../components/tables/use-local-table';
import { apiSource } from './api-source';
import { KIND_NAMES } from './model-fields';
import { EditModelDialog } from './edit-model-dialog';
import { EnabledSwitch, ModelActions, ModelMenu } from './model-actions';
import { ModelBatchDialog } from './model-batch-dialog';
import { useSwitchApi, useDeleteModel } from './model-mutations';
import { adminModelsQuery, modelProblemsQuery, modelUsesQuery } from './models.query';
import type { PlainTextKey } from '../../texts/catalogue';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';

export function ModelsTable() {
  const models = useQuery(adminModelsQuery);
  const { data: connections } = useQuery(connectionsQuery);
  const [editing, setEditing] = useState<AdminModel | null>(null);
  const [deleting, setDeleting] = useState<AdminModel | null>(null);
  const columns = useMemo(() => columnsWith({ onEdit: setEditing, onDelete: setDeleting }), []);
  const rows = useMemo(() => models.data && withSources(models.data, connections ?? []), [models.data, connections]);
  const { table, search, setSearch, pager } = useLocalTable({
    rows,
    columns,
    rowId: (model) => String(model.id),
  });
  const selection = useSelection();
  const [isChanging, setIsChanging] = useState(false);
  const current = (model: AdminModel) => models.data?.find(({ id }) => id === model.id) ?? model;

  return (
    <Panel
      title={t('modelsPage.manage')}
      action={<RefreshButton busy={models.isFetching} onClick={() => void models.refetch()} />}
    >
      {models.isError && <LoadError message={t('models.loadError')} onRetry={models.refetch} />}
      {!models.isLoadingError && (
        <SelectionContext value={selection}>
          {models.data && models.data.length > 0 && (
            <>
              <Flex mb="3">
                <SearchField label={t('modelMenu.search')} value={search} onChange={setSearch} />
              </Flex>
              <SelectionBar
                rows={table.getFilteredRowModel().rows.map(({ original }) => choosable(original))}
                onChange={() => setIsChanging(true)}
              />
            </>
          )}
          <DataTable
            label={t('modelsPage.tabModels')}
            table={table}
            card={(model) => <ModelCard model={model} onEdit={setEditing} onDelete={setDeleting} />}
            isLoading={!models.data}
            empty={search ? t('modelMenu.noMatch') : t('models.empty')}
          />
          {pager.total > PAGE_SIZES[0] && <Pager {...pager} />}
        </SelectionContext>
      )}
      {isChanging && <ModelBatchDialog selection={selection} onClose={() => setIsChanging(false)} />}
      {editing && <EditModelDialog model={current(editing)} onClose={() => setEditing(null)} />}
      {deleting && <DeleteModelDialog model={deleting} onClose={() => setDeleting(null)} />}
    </Panel>
  );
}

interface RowActions {
  onEdit: (model: AdminModel) => void;
  onDelete: (model: AdminModel) => void;
}

/** A model with the name of its chosen connection, else of the API that serves it. */
interface ListedModel extends AdminModel {
  source: string;
}

function withSources(models: AdminModel[], connections: ProviderConnection[]): ListedModel[] {
  return models.map((model) => ({ ...model, source: apiSource(model, connections) }));
}

const choosable = ({ id, name }: AdminModel) => ({ id: String(id), name });

const column = columnHelperFor<ListedModel>();

const columnsWith = (actions: RowActions) =>
  column.columns([
    column.display({
      id: 'choose',
      header: TickHeader,
      cell: ({ row }) => <RowTick {...choosable(row.original)} />,
    }),
    column.accessor('modelId', {
      header: t('modelsPage.modelId'),
      enableSorting: true,
      enableGlobalFilter: true,
      cell: ({ getValue }) => <ModelId id={getValue()} />,
    }),
    column.accessor('displayName', {
      header: t('common.name'),
      enableSorting: true,
      enableGlobalFilter: true,
      cell: ({ row }) => <ModelName model={row.original} />,
    }),
    column.accessor('displayProvider', {
      header: t('modelsPage.provider'),
      enableSorting: true,
      enableGlobalFilter: true,
      cell: ({ getValue }) => <LongText maxW={{ base: '6rem', '2xl': '12rem' }}>{getValue()}</LongText>,
    }),
    column.accessor('source', {
      header: t('modelsPage.apiSource'),
      enableSorting: true,
      cell: ({ getValue }) => (
        <Badge variant="outline" colorPalette="gray" maxW="8rem">
          <Text as="span" truncate>
            {getValue()}
          </Text>
        </Badge>
      ),
    }),
    column.accessor('isEnabled', {
      header: t('modelsPage.status'),
      enableSorting: true,
      cell: ({ row }) => (
        <Flex gap="1" direction="column" align="start">
          <Status model={row.original} />
          <Problem model={row.original} />
        </Flex>
      ),
    }),
    column.accessor('isApiEnabled', {
      header: t('modelsPage.api'),
      enableSorting: true,
      cell: ({ row }) => <ApiAccess model={row.original} />,
    }),
    column.display({
      id: 'action',
      header: t('modelsPage.action'),
      meta: { align: 'end' },
      cell: ({ row }) => <ModelActions model={row.original} {...actions} />,
    }),
  ]);

/** A model where the columns have no room. */
function ModelCard({ model, ...actions }: RowActions & { model: ListedModel }) {
  return (
    <>
      <Flex gap="2" align="center">
        <RowTick {...choosable(model)} />
        <Flex flex="1" minW="0" gap="2" align="center" wrap="wrap" fontWeight="medium">
          <ModelName model={model} />
          {model.isDefault && (
            <Badge size="xs" colorPalette="jade">
              <Check size={12} aria-hidden /> {t('modelsPage.default')}
            </Badge>
          )}
          <Problem model={model} />
        </Flex>
        <ModelMenu model={model} {...actions} />
      </Flex>
      <Box textStyle="xs" overflowWrap="anywhere">
        <Text fontFamily="mono">{model.modelId}</Text>
        <Text color="fg.muted">{[model.displayProvider, model.source].join(' · ')}</Text>
      </Box>
      <Flex columnGap="5" rowGap="1" align="center" wrap="wrap">
        <Flex gap="2" align="center">
          <EnabledSwitch model={model} />
          <Status model={model} />
        </Flex>
        <ApiAccess model={model} />
      </Flex>
    </>
  );
}

/** The id takes little width; the tooltip and the copy button have all of it. */
function ModelId({ id }: { id: string }) {
  return (
    <Flex align="center" minW="0">
      <LongText fontFamily="mono" textStyle="xs" maxW={{ base: '7rem', '2xl': '12rem' }}>
        {id}
      </LongText>
      <CopyButton text={() => id} label={t('developer.copy', { label: id })} />
    </Flex>
  );
}

function ModelName({ model }: { model: AdminModel }) {
  const { displayName, access, isInPicker } = model;
  return (
    <Flex gap="2" align="center" wrap="wrap" minW="8rem" maxW="18rem">
      <Text lineClamp="2" overflowWrap="anywhere" title={displayName}>
        {displayName}
      </Text>
      {access === 'premium' && (
        <Badge size="xs" variant="outline">
          {t('sidebar.premium')}
        </Badge>
      )}
      {access === 'groups' && (
        <Badge size="xs" variant="outline">
          {t('groups.access_groups')}
        </Badge>
      )}
      <KindBadge model={model} />
      {!isInPicker && (
        <Badge size="xs" variant="outline" colorPalette="gray">
          {t('modelsPage.notInPicker')}
        </Badge>
      )}
    </Flex>
  );
}

/** The kind of a model, unless it is known to be for chat. */
function KindBadge({ model: { kind, isKindGuessed } }: { model: AdminModel }) {
  if (kind === 'chat' && !isKindGuessed) return null;
  const name = t(KIND_NAMES[kind]);
  return (
    <Badge
      size="xs"
      variant="outline"
      colorPalette={isKindGuessed ? 'orange' : 'gray'}
      title={isKindGuessed ? t('modelsPage.kindGuessedHint') : undefined}
    >
      {isKindGuessed ? t('modelsPage.kindGuessed', { kind: name }) : name}
    </Badge>
  );
}

const PROBLEMS = {
  connection_off: 'modelsPage.connectionOff',
  not_listed: 'modelsPage.notListed',
  demo: 'modelsPage.demoOnly',
} as const satisfies Record<ModelProblem['problem'], PlainTextKey>;

const Status = ({ model: { isEnabled } }: { model: AdminModel }) => (
  <Badge colorPalette={isEnabled ? 'jade' : 'gray'}>
    {isEnabled ? t('modelsPage.enabled') : t('modelsPage.disabled')}
  </Badge>
);

function Problem({ model: { id } }: { model: AdminModel }) {
  const { data: problem } = useQuery({
    ...modelProblemsQuery,
    select: (problems) => problems.find((each) => each.id === id)?.problem,
  });
  if (!problem) return null;
  return (
    <Badge
      size="xs"
      variant="outline"
      colorPalette="orange"
      title={problem === 'not_listed' ? t('modelsPage.notListedHint') : undefined}
    >
      {t(PROBLEMS[problem])}
    </Badge>
  );
}

function ApiAccess({ model }: { model: AdminModel }) {
  const change = useSwitchApi(model.id);
  return (
    <Flex align="center" gap="2">
      <LabelledSwitch
        label={t('modelsPage.apiAccess', { name: model.name })}
        checked={model.isApiEnabled}
        pending={change.isPending}
        onChange={(checked) => change.mutate(checked)}
      />
      <Badge colorPalette={model.isApiEnabled && model.isEnabled ? 'jade' : 'gray'}>
        {model.isApiEnabled ? t('modelsPage.apiEnabled') : t('modelsPage.apiDisabled')}
      </Badge>
    </Flex>
  );
}

/** Says that conversations use the model; counting ends at a limit. */
function usesText(uses: ModelUses | undefined): string {
  if (!uses || uses.threads === 0) return '';
  const isMore = uses.threads >= LIMITS.modelUses;
  return t(isMore ? 'modelsPage.usedByMany' : 'modelsPage.usedBy', { count: uses.threads });
}

function DeleteModelDialog({ model, onClose }: { model: AdminModel; onClose: () => void }) {
  const remove = useDeleteModel(model.id, onClose);
  const { data: uses } = useQuery(modelUsesQuery(model.id));
  return (
    <ConfirmDialog
      title={t('models.deleteTitle')}
      question={[t('models.deleteQuestion', { name: model.name }), usesText(uses)].filter(Boolean).join(' ')}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
