import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationStarter } from '@tanya/contract';
import { useState } from 'react';
import { api } from '../../app/api/api-client';
import { pickStarter } from './pick-starter';

const COUNT = 4;
const queryKey = ['ideas'];

async function pickBuiltIn(shown: readonly string[]): Promise<string> {
  const { STARTERS } = await import('./built-in-starters');
  return pickStarter(STARTERS, shown);
}

/** Reads one idea from the server; falls back to a built-in one on an error or a duplicate. */
async function fetchIdea(shown: readonly string[]): Promise<string> {
  try {
    const { prompt } = await api.get<ConversationStarter>('/api/conversation-starter');
    if (prompt && !shown.includes(prompt)) return prompt;
  } catch {
    // A failed read is not worth an error notice: the built-in ideas replace it.
  }
  return pickBuiltIn(shown);
}

async function fetchIdeas(): Promise<string[]> {
  const fetched = await Promise.all(Array.from({ length: COUNT }, () => fetchIdea([])));
  const ideas: string[] = [];
  for (const idea of fetched) ideas.push(ideas.includes(idea) ? await pickBuiltIn(ideas) : idea);
  return ideas;
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
