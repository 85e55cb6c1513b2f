import { Box, chakra, Mark, Spinner, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { errorText } from '../../../app/api/api-error';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { Modal } from '../../../components/dialogs/modal';
import { SearchField } from '../../../components/forms/search-field';
import { useDebounced } from '../../../components/hooks/use-debounced';
import { threadCache } from '../client/page-chat-client';
import { findMatches, type Match } from './find-matches';
import { showMessage, useFoundMessage } from '../messages/found-message';

const SEARCH_REST_MS = 120;
/** More rows than anybody reads; the words can be made more exact instead. */
const MOST_ROWS = 100;

interface FindDialogProps {
  threadId: number;
  onClose: () => void;
}

export default function FindDialog({ threadId, onClose }: FindDialogProps) {
  const { isReading, problem } = useWholeThread(threadId);
  const { data } = useQuery({ ...threadMessagesQuery(threadId), enabled: false });
  const [words, setWords] = useState('');
  const wanted = useDebounced(words, SEARCH_REST_MS);
  const matches = useMemo(() => findMatches(data?.items ?? [], wanted), [data, wanted]);
  const field = useRef<HTMLInputElement>(null);

  const choose = (match: Match | undefined) => {
    if (!match) return;
    onClose();
    showMessage(match.messageId);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choose(matches[0]);
  };

  return (
    <Modal title="Find in this conversation" size="md" initialFocus={field} onClose={onClose}>
      <Stack gap="3" minH="10rem">
        <form onSubmit={submit}>
          <SearchField ref={field} label="Words to find" value={words} onChange={setWords} maxW="100%" />
        </form>
        <Text role="status" textStyle="xs" color="fg.muted">
          {isReading && <Spinner size="xs" me="2" aria-hidden />}
          {statusText(isReading, wanted, matches.length)}
        </Text>
        {problem && <Text color="fg.error">Older messages could not be searched. {problem}</Text>}
        <Stack as="ul" listStyleType="none" gap="1" aria-label="Matches">
          {matches.slice(0, MOST_ROWS).map((match) => (
            <li key={match.messageId}>
              <MatchRow match={match} onChoose={() => choose(match)} />
            </li>
          ))}
        </Stack>
      </Stack>
    </Modal>
  );
}

function MatchRow({ match, onChoose }: { match: Match; onChoose: () => void }) {
  const { before, found, after } = match.excerpt;
  return (
    <chakra.button
      type="button"
      onClick={onChoose}
      width="100%"
      display="flex"
      gap="3"
      px="2.5"
      py="2"
      textAlign="start"
      borderRadius="l2"
      focusVisibleRing="inside"
      _hover={{ bg: 'bg.muted' }}
    >
      <Box
        as="span"
        width="6"
        flexShrink={0}
        textStyle="xs"
        fontWeight="semibold"
        color="fg.muted"
        lineHeight="1.25rem"
      >
        {match.isUserMessage ? TEXTS.chat.userAvatar : TEXTS.chat.aiAvatar}
      </Box>
      <Box as="span" minW="0" overflowWrap="anywhere">
        {before}
        <Mark bg="jade.muted" color="inherit" borderRadius="2px">
          {found}
        </Mark>
        {after}
      </Box>
    </chakra.button>
  );
}

function statusText(isReading: boolean, wanted: string, count: number): string {
  if (isReading) return 'Reading the whole conversation…';
  if (!wanted.trim()) return 'Every message of this conversation is searched.';
  if (count === 0) return 'No message holds these words.';
  const messages = count === 1 ? '1 message' : `${count} messages`;
  return count > MOST_ROWS ? `${messages}, the first ${MOST_ROWS} of them here` : messages;
}

/** Reads what is not loaded of the thread yet. */
function useWholeThread(threadId: number): { isReading: boolean; problem: string | null } {
  const isReading = useFoundMessage((state) => state.isReading);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    useFoundMessage.setState({ isReading: true });
    threadCache
      .loadAll(threadId)
      .catch((error: unknown) => setProblem(errorText(error)))
      .finally(() => useFoundMessage.setState({ isReading: false }));
  }, [threadId]);
  return { isReading, problem };
}
