import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ConversationStarter, STARTERS } from '@tanya/contract';
import { useState } from 'react';
import { api } from '../../app/api/api-client';
import { pickStarter } from './pick-starter';

const COUNT = 4;
const queryKey = ['ideas'];

/** One idea from the server; where it has none to give, one of the built-in ones. None is shown twice. */
async function fetchIdea(shown: readonly string[]): Promise<string> {
  try {
    const { prompt } = await api.get<ConversationStarter>('/api/conversation-starter');
    if (prompt && !shown.includes(prompt)) return prompt;
  } catch {
    // An idea is no reason to bother anybody with an error.
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
  /** The place whose next idea is on its way. */
  replacing: number | null;
  more: (index: number) => void;
}

/** Ideas to begin with, fetched when they are first looked at and kept while the page is open. */
export function useIdeas(isWanted: boolean): Ideas {
  const client = useQueryClient();
  const { data: ideas = [] } = useQuery({ queryKey, queryFn: fetchIdeas, enabled: isWanted });
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
