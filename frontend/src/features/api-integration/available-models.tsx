import { Badge, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ADMIN_TEXTS, TEXTS, type PublicModel } from '@tanya/contract';
import { currentUserQuery } from '../../app/queries/user.query';
import { LoadError } from '../../components/feedback/load-error';
import { Panel } from '../../components/layout/panel';
import { DataTable } from '../../components/tables/data-table';
import { LongText } from '../../components/tables/long-text';
import { columnHelperFor } from '../../components/tables/table-features';
import { usePlainTable } from '../../components/tables/use-plain-table';

interface AvailableModelsProps {
  /** undefined while they load. */
  models: PublicModel[] | undefined;
  failed: boolean;
  onRetry: () => void;
}

export function AvailableModels({ models, failed, onRetry }: AvailableModelsProps) {
  const table = usePlainTable({ rows: models, columns: COLUMNS, rowId: ({ modelId }) => modelId });
  return (
    <Panel title="Available Models" hint="Give the model’s id as “model” in your requests.">
      {failed ? (
        <LoadError message={ADMIN_TEXTS.models.loadError} onRetry={onRetry} />
      ) : (
        <DataTable label="Available models" table={table} isLoading={!models} empty={ADMIN_TEXTS.apiKey.noModels} />
      )}
    </Panel>
  );
}

/** The name, with a mark on models that the user's plan does not include. */
function ModelName({ model }: { model: PublicModel }) {
  const { data: user } = useQuery(currentUserQuery);
  if (!model.isPremium || user?.isPremium) return model.name;
  return (
    <Flex as="span" display="inline-flex" align="center" gap="2" wrap="wrap">
      {model.name}
      <Badge size="sm" title="Your plan does not include this model.">
        {TEXTS.sidebar.premium}
      </Badge>
    </Flex>
  );
}

const column = columnHelperFor<PublicModel>();

const COLUMNS = column.columns([
  column.accessor('modelId', {
    header: 'Model',
    cell: ({ getValue }) => (
      <LongText fontFamily="mono" textStyle="xs">
        {getValue()}
      </LongText>
    ),
  }),
  column.accessor('name', {
    header: 'Name',
    meta: { card: 'title' },
    cell: ({ row }) => <ModelName model={row.original} />,
  }),
  column.accessor('provider', { header: 'Provider' }),
]);
