import { ADMIN_TEXTS, fill, TEXTS, type AdminModel } from '@tanya/contract';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog';
import { useDeleteModel } from './model-mutations';

export function DeleteModelDialog({ model, onClose }: { model: AdminModel; onClose: () => void }) {
  const remove = useDeleteModel(model.id, onClose);
  return (
    <ConfirmDialog
      title={ADMIN_TEXTS.models.deleteTitle}
      question={fill(ADMIN_TEXTS.models.deleteQuestion, { name: model.name })}
      action="Delete"
      pending={remove.isPending}
      pendingText={TEXTS.threads.deleting}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
