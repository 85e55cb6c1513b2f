import type { ToolServer } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { useDeleteServer } from './server-mutations';

interface DeleteServerDialogProps {
  server: ToolServer;
  onClose: () => void;
}

export function DeleteServerDialog({ server: { id, name }, onClose }: DeleteServerDialogProps) {
  const remove = useDeleteServer(id, onClose);
  return (
    <ConfirmDialog
      title={t('toolServers.deleteTitle')}
      question={t('toolServers.deleteQuestion', { name })}
      action={t('common.delete')}
      pending={remove.isPending}
      pendingText={t('threads.deleting')}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
