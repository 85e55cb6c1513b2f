import { Button, Field, Input } from '@chakra-ui/react';
import { LIMITS, type Thread } from '@tanya/contract';
import { useRef, useState, type FormEvent } from 'react';
import { t } from '../../../app/i18n/translate';
import { Modal } from '../../../components/dialogs/modal';
import { LoadingButton } from '../../../components/buttons/loading-button';
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) rename.mutate(wanted);
  };
  return (
    <Modal
      isQuick
      title={t('threadList.renameTitle')}
      onClose={onClose}
      initialFocus={input}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <LoadingButton type="submit" colorPalette="jade" form="rename-thread" disabled={!wanted || rename.isPending}>
            {rename.isPending ? t('threads.renaming') : t('threadList.rename')}
          </LoadingButton>
        </>
      }
    >
      <form id="rename-thread" onSubmit={submit}>
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
      </form>
    </Modal>
  );
}

function DeleteDialog({ thread, onClose }: ThreadDialogProps) {
  const remove = useDeleteThread(thread, onClose);
  return (
    <Modal
      role="alertdialog"
      title={t('threadList.deleteTitle')}
      description={t('threadList.deleteQuestion', { title: thread.title })}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <LoadingButton colorPalette="red" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? t('threads.deleting') : t('common.delete')}
          </LoadingButton>
        </>
      }
    />
  );
}

export default function ThreadDialogs({ kind, ...props }: ThreadDialogProps & { kind: ThreadDialogKind }) {
  return kind === 'rename' ? <RenameDialog {...props} /> : <DeleteDialog {...props} />;
}
