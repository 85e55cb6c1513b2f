import { useThread } from '../shared/use-thread';
import { ArchivedNote } from './archived-note';
import { TemporaryNote } from './temporary-note';

/** Above the composer: what is special about the chat. */
export default function ThreadNotes({ threadId }: { threadId: number }) {
  const expiresAt = useThread(threadId)?.expiresAt;
  return (
    <>
      <ArchivedNote threadId={threadId} />
      {expiresAt !== undefined && <TemporaryNote threadId={threadId} expiresAt={expiresAt} />}
    </>
  );
}
