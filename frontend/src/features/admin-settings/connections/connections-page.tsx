import { Button, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import type { ProviderConnection } from '@tanya/contract';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { connectionsQuery } from '../../../app/queries/connections.query';
import { LoadError } from '../../../components/feedback/load-error';
import { LoadingRows } from '../../../components/feedback/loading-rows';
import { PageShell } from '../../../components/layout/page-shell';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { ConnectionDialog } from './connection-dialog';
import { ConnectionRow } from './connection-row';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { Modal } from '../../../components/dialogs/modal';
import { useDeleteConnection } from './connection-mutations';

/** The connections to providers, the two fixed ones included. Changes are saved at once. */
export default function ConnectionsPage() {
  // Health changes without an event, so every visit reads it again.
  const connections = useQuery({ ...connectionsQuery, refetchOnMount: 'always' });
  const [editing, setEditing] = useState<ProviderConnection | 'new' | null>(null);
  const [deleting, setDeleting] = useState<ProviderConnection | null>(null);
  const recoverFocus = useFocusRecovery();
  const all = connections.data;
  return (
    <PageShell
      title={t('sidebar.connections')}
      sentence={t('connections.sentence')}
      action={
        <Button colorPalette="jade" onClick={() => setEditing('new')}>
          <Plus aria-hidden /> {t('connections.add')}
        </Button>
      }
    >
      {connections.isPending && (
        <LoadingRows
          label={t('connections.loading')}
          count={2}
          row={{ height: '8rem', borderRadius: 'l2' }}
          gap="3"
          minH="8rem"
        />
      )}
      {connections.isLoadingError && <LoadError message={t('connections.loadError')} onRetry={connections.refetch} />}
      <Stack ref={recoverFocus} as="ul" gap="3" maxW="48rem" listStyleType="none" aria-label={t('sidebar.connections')}>
        {all?.map((connection, index) => (
          <ConnectionRow
            key={connection.id}
            connection={connection}
            above={all[index - 1] ?? null}
            below={all[index + 1] ?? null}
            onEdit={() => setEditing(connection)}
            onDelete={() => setDeleting(connection)}
          />
        ))}
      </Stack>
      {editing && <ConnectionDialog connection={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
      {deleting && <DeleteConnectionDialog connection={deleting} onClose={() => setDeleting(null)} />}
    </PageShell>
  );
}

interface DeleteConnectionDialogProps {
  connection: ProviderConnection;
  onClose: () => void;
}

/** Confirms the deletion, or says why the connection cannot be deleted. */
function DeleteConnectionDialog({ connection, onClose }: DeleteConnectionDialogProps) {
  const { id, name, modelCount } = connection;
  const remove = useDeleteConnection(id, onClose);
  if (modelCount > 0) {
    return (
      <Modal
        title={t('connections.inUse', { name })}
        description={t('connections.inUseHint', { count: modelCount, page: t('sidebar.llmModels') })}
        onClose={onClose}
        footer={
          <Button variant="outline" onClick={onClose}>
            {t('common.close')}
          </Button>
        }
      />
    );
  }
  return (
    <ConfirmDialog
      title={t('connections.deleteTitle')}
      question={t('connections.deleteQuestion', { name })}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
