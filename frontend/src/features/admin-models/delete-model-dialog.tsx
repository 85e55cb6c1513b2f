import type { AdminModel } from '@tanya/contract';
import { t } from '../../app/i18n/translate';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { useDeleteModel } from './model-mutations';

export function DeleteModelDialog({ model, onClose }: { model: AdminModel; onClose: () => void }) {
  const remove = useDeleteModel(model.id, onClose);
  return (
    <ConfirmDialog
      title={t('models.deleteTitle')}
      question={t('models.deleteQuestion', { name: model.name })}
      action={t('common.delete')}
      pending={remove.isPending}
      pendingText={t('threads.deleting')}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
