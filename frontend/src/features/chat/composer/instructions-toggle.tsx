import type { Preferences, Thread } from '@tanya/contract';
import { UserRoundCheck, UserRoundX } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { api } from '../../../app/api/api-client';
import { queryClient } from '../../../app/queries/query-client';
import { type ThreadPages, withChanges } from '../../../app/queries/thread-list';
import { threadQuery, threadsQuery } from '../../../app/queries/threads.query';
import { useSingleFlightMutation } from '../../../app/queries/use-single-flight-mutation';
import { fail } from '../../../components/feedback/fail';
import { trackChange } from '../client/thread-changes';
import { useThread } from '../shared/use-thread';
import { PillToggle } from '../../../components/buttons/pill-toggle';

interface InstructionsToggleProps {
  preferences: Preferences;
  /** null for a new conversation. */
  threadId: number | null;
  /** The choice for a new conversation. */
  chosen: boolean | undefined;
  onChoose: (isOn: boolean) => void;
}

/** Shows whether the custom instructions apply to this conversation, and switches them for it alone. */
export default function InstructionsToggle({ preferences, threadId, chosen, onChoose }: InstructionsToggleProps) {
  const byAccount = preferences.useInstructions;
  if (threadId !== null) return <ThreadToggle threadId={threadId} byAccount={byAccount} />;
  return <Toggle isOn={chosen ?? byAccount} onChange={onChoose} />;
}

function ThreadToggle({ threadId, byAccount }: { threadId: number; byAccount: boolean }) {
  const thread = useThread(threadId);
  const save = useSingleFlightMutation({
    mutationFn: (useInstructions: boolean) =>
      trackChange(threadId, api.patch<Thread>(`/api/chat/threads/${threadId}`, { useInstructions })),
    onSuccess: showStored,
    onError: fail('instructions.switchFailed'),
  });
  if (thread === null) return null;
  const ofThread = save.isPending ? save.variables : thread.useInstructions;
  return <Toggle isOn={ofThread ?? byAccount} isBusy={save.isPending} onChange={(isOn) => save.mutate(isOn)} />;
}

interface ToggleProps {
  isOn: boolean;
  isBusy?: boolean;
  onChange: (isOn: boolean) => void;
}

function Toggle({ isOn, isBusy = false, onChange }: ToggleProps) {
  return (
    <PillToggle
      icon={isOn ? UserRoundCheck : UserRoundX}
      title={t('instructions.title')}
      hint={isOn ? t('instructions.onHint') : t('instructions.offHint')}
      isOn={isOn}
      isBusy={isBusy}
      text={{ hideBelow: 'md', textDecoration: isOn ? undefined : 'line-through' }}
      onChange={onChange}
    />
  );
}

/** Replaces a thread in the cache: alone and in the list. */
function showStored(stored: Thread): void {
  queryClient.setQueryData(threadQuery(stored.id).queryKey, stored);
  queryClient.setQueryData<ThreadPages>(
    threadsQuery().queryKey,
    (list) => list && withChanges(list, stored.id, stored),
  );
}
