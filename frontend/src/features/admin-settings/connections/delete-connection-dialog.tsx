import { Button } from '@chakra-ui/react';
import type { ProviderConnection } from '@tanya/contract';
import { t } from '../../../app/i18n/translate';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { Modal } from '../../../components/dialogs/modal';
import { useDeleteConnection } from './connection-mutations';

interface DeleteConnectionDialogProps {
  connection: ProviderConnection;
  onClose: () => void;
}

/** Confirms the deletion, or says why the connection cannot be deleted. */
export function DeleteConnectionDialog({ connection, onClose }: DeleteConnectionDialogProps) {
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
