import { TEXTS, type PublicModel } from '@tanya/contract';
import { DataTable, type Column } from '../../components/tables/data-table';
import { LoadError } from '../../components/feedback/load-error';
import { LongText } from '../../components/layout/long-text';
import { Panel } from '../../components/layout/panel';

interface AvailableModelsProps {
  /** undefined while they are being read. */
  models: PublicModel[] | undefined;
  failed: boolean;
  onRetry: () => void;
}

export function AvailableModels({ models, failed, onRetry }: AvailableModelsProps) {
  return (
    <Panel title="Available Models" hint="Give the model’s id as “model” in your requests.">
      {failed ? (
        <LoadError message={TEXTS.models.loadError} onRetry={onRetry} />
      ) : (
        <DataTable
          label="Available models"
          columns={COLUMNS}
          rows={models}
          rowKey={({ modelId }) => modelId}
          empty={TEXTS.apiKey.noModels}
        />
      )}
    </Panel>
  );
}

const COLUMNS: Column<PublicModel>[] = [
  {
    key: 'model',
    header: 'Model',
    cell: ({ modelId }) => (
      <LongText fontFamily="mono" textStyle="xs">
        {modelId}
      </LongText>
    ),
  },
  { key: 'name', header: 'Name', inCard: 'title', cell: ({ name }) => name },
  { key: 'provider', header: 'Provider', cell: ({ provider }) => provider },
];
