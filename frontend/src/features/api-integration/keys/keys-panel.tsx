import { Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type ApiKey, LIMITS } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { LoadError } from '../../../components/feedback/load-error';
import { LoadingRows } from '../../../components/feedback/loading-rows';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { Panel } from '../../../components/layout/panel';
import { KeyDialog } from './key-dialog';
import { KeyRow } from './key-row';
import { keysQuery, useDeleteKey } from './keys.query';

/** The keys beside the single one, each with limits of its own. */
export function KeysPanel() {
  const keys = useQuery(keysQuery);
  const [editing, setEditing] = useState<ApiKey | 'new' | null>(null);
  const [deleting, setDeleting] = useState<ApiKey | null>(null);
  const recoverFocus = useFocusRecovery();
  const all = keys.data;
  const isFull = all !== undefined && all.length >= LIMITS.apiKeys;
  return (
    <Panel
      title={t('keys.title')}
      hint={t('keys.hint')}
      action={
        <LoadingButton size="sm" variant="outline" disabled={isFull} onClick={() => setEditing('new')}>
          <Plus aria-hidden /> {t('keys.new')}
        </LoadingButton>
      }
    >
      {keys.isPending && (
        <LoadingRows label={t('keys.loading')} count={1} row={{ height: '6rem', borderRadius: 'l2' }} minH="6rem" />
      )}
      {keys.isLoadingError && <LoadError message={t('keys.loadError')} onRetry={keys.refetch} />}
      {isFull && <Text mb="3">{t('keys.full', { max: LIMITS.apiKeys })}</Text>}
      {all?.length === 0 && <Text color="fg.muted">{t('keys.none')}</Text>}
      <div ref={recoverFocus}>
        {all && all.length > 0 && (
          <Stack as="ul" gap="3" listStyleType="none" aria-label={t('keys.title')}>
            {all.map((key) => (
              <KeyRow key={key.id} apiKey={key} onEdit={() => setEditing(key)} onDelete={() => setDeleting(key)} />
            ))}
          </Stack>
        )}
      </div>
      {editing && <KeyDialog apiKey={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && <DeleteKeyDialog apiKey={deleting} onClose={() => setDeleting(null)} />}
    </Panel>
  );
}

function DeleteKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const remove = useDeleteKey(apiKey.id, onClose);
  return (
    <ConfirmDialog
      title={t('keys.deleteTitle')}
      question={t('keys.deleteQuestion', { name: apiKey.name })}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
