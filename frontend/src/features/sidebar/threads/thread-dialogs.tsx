import { Field, Input } from '@chakra-ui/react';
import { LIMITS, type Thread } from '@tanya/contract';
import { useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog';
import { FormModal } from '../../../components/dialogs/form-modal';
import { useRenameThread } from '../../../components/buttons/use-rename-thread';
import type { ThreadDialogKind } from './thread-menu';
import { useDeleteThread } from './thread-mutations';

interface ThreadDialogProps {
  thread: Thread;
  onClose: () => void;
}

function RenameDialog({ thread, onClose }: ThreadDialogProps) {
  const [title, setTitle] = useState(thread.title);
  const input = useRef<HTMLInputElement>(null);
  const rename = useRenameThread(thread.id, onClose);
  const wanted = title.trim();
  return (
    <FormModal
      isQuick
      size="sm"
      title={t('threadList.renameTitle')}
      action={t('threadList.rename')}
      pending={rename.isPending}
      pendingText={t('threads.renaming')}
      disabled={!wanted}
      initialFocus={input}
      onSubmit={() => wanted && rename.mutate(wanted)}
      onClose={onClose}
    >
      <Field.Root>
        <Field.Label>{t('threadList.title')}</Field.Label>
        <Input
          ref={input}
          value={title}
          maxLength={LIMITS.threadTitle.max}
          onChange={(event) => setTitle(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
      </Field.Root>
    </FormModal>
  );
}

function DeleteDialog({ thread, onClose }: ThreadDialogProps) {
  const remove = useDeleteThread(thread, onClose);
  return (
    <ConfirmDialog
      title={t('threadList.deleteTitle')}
      question={t('threadList.deleteQuestion', { title: thread.title })}
      pending={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}

export default function ThreadDialogs({ kind, ...props }: ThreadDialogProps & { kind: ThreadDialogKind }) {
  return kind === 'rename' ? <RenameDialog {...props} /> : <DeleteDialog {...props} />;
}
