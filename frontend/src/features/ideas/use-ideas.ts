import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ConversationStarter, STARTERS } from '@tanya/contract';
import { useState } from 'react';
import { api } from '../../app/api/api-client';
import { pickStarter } from './pick-starter';

const COUNT = 4;
const queryKey = ['ideas'];

/** Reads one idea from the server; falls back to a built-in one on an error or a duplicate. */
async function fetchIdea(shown: readonly string[]): Promise<string> {
  try {
    const { prompt } = await api.get<ConversationStarter>('/api/conversation-starter');
    if (prompt && !shown.includes(prompt)) return prompt;
  } catch {
    // A failed read is not worth an error notice: the built-in ideas replace it.
  }
  return pickStarter(STARTERS, shown);
}

async function fetchIdeas(): Promise<string[]> {
  const fetched = await Promise.all(Array.from({ length: COUNT }, () => fetchIdea([])));
  return fetched.reduce<string[]>(
    (ideas, idea) => [...ideas, ideas.includes(idea) ? pickStarter(STARTERS, ideas) : idea],
    [],
  );
}

interface Ideas {
  ideas: string[];
  /** Index of the idea that is being replaced. */
  replacing: number | null;
  more: (index: number) => void;
}

/** Ideas for a conversation, read when first enabled and cached until the page closes. */
export function useIdeas(isEnabled: boolean): Ideas {
  const client = useQueryClient();
  const { data: ideas = [] } = useQuery({ queryKey, queryFn: fetchIdeas, enabled: isEnabled });
  const [replacing, setReplacing] = useState<number | null>(null);
  const more = async (index: number) => {
    if (replacing === index) return;
    setReplacing(index);
    const idea = await fetchIdea(ideas);
    client.setQueryData<string[]>(queryKey, (now) => now?.map((old, at) => (at === index ? idea : old)));
    setReplacing(null);
  };
  return { ideas, replacing, more: (index) => void more(index) };
}
