import { Button } from '@chakra-ui/react';
import { type ProviderConnection, TEXTS } from '@tanya/contract';
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
    const models = modelCount === 1 ? '1 model is' : `${modelCount.toLocaleString()} models are`;
    return (
      <Modal
        title={`${name} is in use`}
        description={`${models} bound to this connection. Choose another connection for them under ${TEXTS.sidebar.llmModels} first.`}
        onClose={onClose}
        footer={
          <Button variant="outline" onClick={onClose}>
            Close
          </Button>
        }
      />
    );
  }
  return (
    <ConfirmDialog
      title="Delete connection"
      question={`Are you sure you want to delete the connection “${name}”? Its key is deleted with it. This action cannot be undone.`}
      action="Delete"
      pending={remove.isPending}
      pendingText={TEXTS.threads.deleting}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
