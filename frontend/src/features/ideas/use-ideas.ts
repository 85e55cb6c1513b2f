import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ConversationStarter } from '@tanya/contract';
import { useRef, useState } from 'react';
import { api } from '../../app/api/api-client';
import { shownLanguage, useLanguage } from '../../app/i18n/load-texts';
import { QUERY_KEYS } from '../../app/queries/query-keys';

const COUNT = 4;
/** Reads for one new idea. Each node serves its list in an order of its own, so a repetition may come first. */
const ATTEMPTS = 4;

async function pickBuiltIn(shown: readonly string[]): Promise<string> {
  const { STARTERS } = await import('./built-in-starters');
  return pickStarter(STARTERS, shown);
}

/** Reads one idea from the server; falls back to a built-in one on an error. */
async function fetchIdea(shown: readonly string[]): Promise<string> {
  try {
    const { prompt } = await api.get<ConversationStarter>(`/api/conversation-starter?language=${shownLanguage()}`);
    if (prompt) return prompt;
  } catch {
    // A failed read is not worth an error notice: the built-in ideas replace it.
  }
  return pickBuiltIn(shown);
}

/** Reads an idea that is not shown; null when several reads found none, because the installation has few ideas. */
async function fetchNewIdea(shown: readonly string[]): Promise<string | null> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const idea = await fetchIdea(shown);
    if (!shown.includes(idea)) return idea;
  }
  return null;
}

/**
 * Reads four ideas that are not shown, or fewer where the installation has fewer: built-in ones do not mix with an
 * admin's own.
 */
async function fetchIdeas(shown: readonly string[]): Promise<string[]> {
  const fetched = await Promise.all(Array.from({ length: COUNT }, () => fetchIdea(shown)));
  const ideas = [...new Set(fetched)].filter((idea) => !shown.includes(idea));
  while (ideas.length < COUNT) {
    const idea = await fetchNewIdea([...shown, ...ideas]);
    if (idea === null) break;
    ideas.push(idea);
  }
  return ideas;
}

/** The text to show for an idea: a built-in one in the language of the page. null while it loads. */
export function useIdeaText(): ((idea: string) => string) | null {
  const language = shownLanguage();
  // The ideas of the server are English.
  const isEnglish = language === 'spec' || language === 'en';
  const { data, isError } = useQuery({
    queryKey: [...QUERY_KEYS.ideaTexts, language],
    queryFn: async () => (await import('./starter-texts')).loadStarterTexts(),
    enabled: !isEnglish,
  });
  return isEnglish || isError ? (idea) => idea : (data ?? null);
}

interface Ideas {
  ideas: string[];
  /** Indexes of the ideas that are being replaced. */
  replacing: readonly number[];
  more: (index: number) => void;
  moreOfAll: () => void;
}

/** Ideas for a conversation, read when first enabled and cached until the page closes. */
export function useIdeas(isEnabled: boolean): Ideas {
  const client = useQueryClient();
  const language = useLanguage(({ language }) => language);
  const queryKey = ['ideas', language];
  const { data: ideas = [] } = useQuery({ queryKey, queryFn: () => fetchIdeas([]), enabled: isEnabled });
  const [replacing, setReplacing] = useState<readonly number[]>([]);
  const last = useRef(Promise.resolve());
  /** Replaces the ideas at these indexes, unless one of them is already being replaced. */
  const replace = (indexes: readonly number[], fetchNew: (shown: string[]) => Promise<(string | null)[]>) => {
    if (indexes.some((index) => replacing.includes(index))) return;
    setReplacing((before) => [...before, ...indexes]);
    const run = async () => {
      const fresh = await fetchNew(client.getQueryData<string[]>(queryKey) ?? []);
      client.setQueryData<string[]>(queryKey, (now) => now?.map((old, at) => fresh[indexes.indexOf(at)] ?? old));
    };
    // One after the other, so that no two show the same idea. Without a connection the ideas stay.
    last.current = last.current
      .then(run)
      .catch(() => undefined)
      .finally(() => setReplacing((before) => before.filter((index) => !indexes.includes(index))));
  };
  return {
    ideas,
    replacing,
    more: (index) => replace([index], async (shown) => [await fetchNewIdea(shown)]),
    moreOfAll: () => replace([...ideas.keys()], fetchIdeas),
  };
}

/** A random starter that is not shown; any starter when all are shown. */
export function pickStarter(starters: readonly string[], shown: readonly string[], random = Math.random): string {
  const fresh = starters.filter((starter) => !shown.includes(starter));
  const pool = fresh.length > 0 ? fresh : starters;
  return pool[Math.floor(random() * pool.length)] ?? '';
}
