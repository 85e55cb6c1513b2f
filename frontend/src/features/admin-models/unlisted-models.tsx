import { Box, Flex, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { AdminModel, UnlistedModel } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatDate } from '../../app/i18n/formats';
import { t } from '../../app/i18n/translate';
import { LoadingButton } from '../../components/buttons/loading-button';
import { LoadError } from '../../components/feedback/load-error';
import { Panel } from '../../components/layout/panel';
import { EditModelDialog } from './edit-model-dialog';
import { KIND_NAMES } from './model-fields';
import { useCreateModel } from './model-mutations';
import { unlistedModelsQuery } from './models.query';

/** The ids that programs called without a model of the list; absent without any. */
export function UnlistedModels() {
  const { data, isError, refetch } = useQuery(unlistedModelsQuery);
  const [added, setAdded] = useState<AdminModel | null>(null);
  const dialog = added && <EditModelDialog model={added} onClose={() => setAdded(null)} />;
  if (isError) return <LoadError message={t('modelsPage.unlistedError')} onRetry={refetch} />;
  if (!data || data.length === 0) return dialog;
  return (
    <Panel title={t('modelsPage.unlisted')} hint={t('modelsPage.unlistedHint')}>
      <Stack as="ul" gap="2" aria-label={t('modelsPage.unlisted')} listStyleType="none">
        {data.map((model) => (
          <UnlistedRow key={model.modelId} model={model} onAdded={setAdded} />
        ))}
      </Stack>
      {dialog}
    </Panel>
  );
}

interface UnlistedRowProps {
  model: UnlistedModel;
  onAdded: (model: AdminModel) => void;
}

/** Adds a model with the rules of the ones that an upgrade adds; its dialog then opens for others. */
function UnlistedRow({ model: { modelId, kind, messages, lastUsedOn }, onAdded }: UnlistedRowProps) {
  const create = useCreateModel();
  const add = () => create.mutate({ modelId, isPremium: true, isInPicker: false }, { onSuccess: onAdded });
  return (
    <Flex as="li" gap="3" align="center" justify="space-between" p="3" borderWidth="1px" borderRadius="l2">
      <Box minW="0">
        <Text fontFamily="mono" textStyle="xs" overflowWrap="anywhere">
          {modelId}
        </Text>
        <Text color="fg.muted">
          {t('modelsPage.unlistedUse', {
            kind: t(KIND_NAMES[kind]),
            count: messages,
            date: formatDate(new Date(`${lastUsedOn}T12:00:00Z`)),
          })}
        </Text>
      </Box>
      <LoadingButton
        size="xs"
        variant="outline"
        flexShrink={0}
        disabled={create.isPending}
        aria-label={t('modelsPage.addUnlisted', { id: modelId })}
        onClick={add}
      >
        <Plus aria-hidden />
        {t('modelsPage.addShort')}
      </LoadingButton>
    </Flex>
  );
}
