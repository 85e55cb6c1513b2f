import { Badge, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { isForPremium, mayUsePremium, type PublicModel } from '@tanya/contract';
import { useState } from 'react';
import { t } from '../../app/i18n/translate';
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
  const table = usePlainTable({ rows: models, columns: useState(columns)[0], rowId: ({ modelId }) => modelId });
  return (
    <Panel title={t('developer.models')} hint={t('developer.modelsHint')}>
      {failed ? (
        <LoadError message={t('models.loadError')} onRetry={onRetry} />
      ) : (
        <DataTable label={t('developer.modelsLabel')} table={table} isLoading={!models} empty={t('apiKey.noModels')} />
      )}
    </Panel>
  );
}

/** The name, with a mark on models that the user's plan does not include. */
function ModelName({ model }: { model: PublicModel }) {
  const { data: user } = useQuery(currentUserQuery);
  if (!isForPremium(model) || mayUsePremium(user)) return model.name;
  return (
    <Flex as="span" display="inline-flex" align="center" gap="2" wrap="wrap">
      {model.name}
      <Badge size="sm" title={t('developer.notInPlan')}>
        {t('sidebar.premium')}
      </Badge>
    </Flex>
  );
}

const column = columnHelperFor<PublicModel>();

const columns = () =>
  column.columns([
    column.accessor('modelId', {
      header: t('common.model'),
      cell: ({ getValue }) => (
        <LongText fontFamily="mono" textStyle="xs">
          {getValue()}
        </LongText>
      ),
    }),
    column.accessor('name', {
      header: t('common.name'),
      meta: { card: 'title' },
      cell: ({ row }) => <ModelName model={row.original} />,
    }),
    column.accessor('provider', { header: t('modelsPage.provider') }),
  ]);
