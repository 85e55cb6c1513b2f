import { Button, Field, Input } from '@chakra-ui/react';
import { LIMITS, TEXTS, type Thread } from '@tanya/contract';
import { useRef, useState, type FormEvent } from 'react';
import { Modal } from '../../../components/dialogs/modal';
import { LoadingButton } from '../../../components/buttons/loading-button';
import { useDeleteThread, useRenameThread } from './thread-mutations';

interface ThreadDialogProps {
  thread: Thread;
  onClose: () => void;
}

function RenameDialog({ thread, onClose }: ThreadDialogProps) {
  const [title, setTitle] = useState(thread.title);
  const input = useRef<HTMLInputElement>(null);
  const rename = useRenameThread(thread, onClose);
  const wanted = title.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted) rename.mutate(wanted);
  };
  return (
    <Modal
      title="Rename chat"
      onClose={onClose}
      initialFocus={input}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <LoadingButton type="submit" colorPalette="jade" form="rename-thread" disabled={!wanted || rename.isPending}>
            {rename.isPending ? TEXTS.threads.renaming : 'Rename'}
          </LoadingButton>
        </>
      }
    >
      <form id="rename-thread" onSubmit={submit}>
        <Field.Root>
          <Field.Label>Title</Field.Label>
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
      title="Delete chat"
      description={`“${thread.title}” and all of its messages will be deleted. This can’t be undone.`}
      onClose={onClose}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <LoadingButton colorPalette="red" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? TEXTS.threads.deleting : 'Delete'}
          </LoadingButton>
        </>
      }
    />
  );
}

/** The dialogs of a thread's menu. */
export default function ThreadDialogs({ kind, ...props }: ThreadDialogProps & { kind: 'rename' | 'delete' }) {
  return kind === 'rename' ? <RenameDialog {...props} /> : <DeleteDialog {...props} />;
}
