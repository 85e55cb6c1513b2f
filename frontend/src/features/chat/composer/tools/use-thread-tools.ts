import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { BuiltInTool, Thread, ToolInfo } from '@tanya/contract';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { api } from '../../../../app/api/api-client';
import { t } from '../../../../app/i18n/translate';
import { projectQuery } from '../../../../app/queries/projects.query';
import { threadQuery } from '../../../../app/queries/threads.query';
import { toolsQuery } from '../../../../app/queries/tools.query';
import { showFailure } from '../../../../components/feedback/fail';
import { notify } from '../../../../components/feedback/notify';
import { conversationThreads } from '../../client/conversation-thread-store';
import type { ConversationKey } from '../../client/outbox-store';
import { chooseTools, takeUnchosen } from '../../shared/chosen-tools';

const MAX_CHOSEN = 64;

const NONE: string[] = [];

/** On in every new conversation: they cost nothing and read nothing of anybody. */
export const HARMLESS_TOOLS: readonly BuiltInTool[] = ['current_time', 'calculate'];

interface Choice {
  conversation: ConversationKey;
  names: readonly string[];
}

export interface ThreadTools {
  tools: ToolInfo[];
  isLoading: boolean;
  /** Names of those that are switched on. */
  chosen: string[];
  switchTools: (names: readonly string[], isOn: boolean) => void;
}

/**
 * The tools of a conversation. The server stores those of a thread. Those of a draft are sent with its first message
 * and stored with its thread.
 * @param projectId the project of a draft, which begins with the tools of the project, when it sets some
 */
export function useThreadTools(
  conversation: ConversationKey,
  threadId: number | null,
  projectId?: number,
): ThreadTools {
  const client = useQueryClient();
  const { data: tools, isLoading } = useQuery(toolsQuery);
  const { data: project } = useQuery({ ...projectQuery(projectId ?? 0), enabled: projectId !== undefined });
  const { data: thread } = useQuery({ ...threadQuery(threadId ?? 0), enabled: threadId !== null });
  // The newest choice, until the server has stored it.
  const [choice, setChoice] = useState<Choice>(() => ({
    conversation,
    names: threadId === null ? HARMLESS_TOOLS : NONE,
  }));
  if (threadId === null && choice.conversation !== conversation) setChoice({ conversation, names: HARMLESS_TOOLS });
  if (threadId === null && choice.names === HARMLESS_TOOLS && project?.tools.length)
    setChoice({ conversation, names: project.tools });
  const isCurrent = useStore(
    conversationThreads,
    ({ threads }) =>
      choice.conversation === conversation || (threadId !== null && threads[choice.conversation] === threadId),
  );
  const [saving, setSaving] = useState(0);
  const remembered = isCurrent && (saving > 0 || thread === undefined) ? choice.names : (thread?.tools ?? NONE);
  const chosen = useMemo(
    () => remembered.filter((name) => tools?.some((tool) => tool.name === name)).slice(0, MAX_CHOSEN),
    [remembered, tools],
  );
  useEffect(() => {
    if (tools !== undefined) chooseTools(conversation, chosen);
  }, [conversation, tools, chosen]);

  const saved = useRef(Promise.resolve());
  const save = async (id: number, names: string[]): Promise<void> => {
    const { queryKey } = threadQuery(id);
    try {
      client.setQueryData(queryKey, await api.patch<Thread>(`/api/chat/threads/${id}`, { tools: names }));
    } catch (error) {
      showFailure('tools.notSaved', error);
      await client.invalidateQueries({ queryKey });
    } finally {
      setSaving((count) => count - 1);
    }
  };
  const switchTools = (changed: readonly string[], isOn: boolean): void => {
    const others = chosen.filter((name) => !changed.includes(name));
    const names = isOn ? [...others, ...changed] : others;
    if (names.length > MAX_CHOSEN) return notify({ title: t('tools.tooMany', { max: MAX_CHOSEN }), kind: 'info' });
    setChoice({ conversation, names });
    if (threadId === null) return;
    setSaving((count) => count + 1);
    // Saves run one after the other, so that the last choice is the stored one.
    saved.current = saved.current.then(() => save(threadId, names));
  };
  useEffect(() => {
    if (threadId === null || tools === undefined || thread === undefined || !takeUnchosen(threadId)) return;
    const names = HARMLESS_TOOLS.filter((name) => tools.some((tool) => tool.name === name));
    if (names.length > 0) switchTools(names, true);
  });
  return { tools: tools ?? [], isLoading, chosen, switchTools };
}
