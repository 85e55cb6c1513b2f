import { Box, chakra, Mark, Spinner, Stack, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { errorText } from '../../../app/api/api-error';
import { threadMessagesQuery } from '../../../app/queries/threads.query';
import { Modal } from '../../../components/dialogs/modal';
import { SearchField } from '../../../components/forms/search-field';
import { useDebounced } from '../../../components/hooks/use-debounced';
import { findMatches, type Match } from '../shared/find-matches';
import { showMessage, useFoundMessage } from '../shared/found-message-store';
import { loadWholeThread } from '../shared/load-whole-thread';

const SEARCH_DEBOUNCE_MS = 120;
/** Further matches are counted and not shown. */
const MAX_ROWS = 100;

interface FindDialogProps {
  threadId: number;
  onClose: () => void;
}

export default function FindDialog({ threadId, onClose }: FindDialogProps) {
  const { isLoading, problem } = useLoadWholeThread(threadId);
  const { data } = useQuery({ ...threadMessagesQuery(threadId), enabled: false });
  const [words, setWords] = useState('');
  const wanted = useDebounced(words, SEARCH_DEBOUNCE_MS);
  const matches = useMemo(() => findMatches(data?.items ?? [], wanted), [data, wanted]);
  const field = useRef<HTMLInputElement>(null);

  const choose = (match: Match | undefined) => {
    if (!match) return;
    onClose();
    showMessage(match.messageId, wanted);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    choose(matches[0]);
  };

  return (
    <Modal title={t('shortcuts.find')} size="md" initialFocus={field} onClose={onClose}>
      <Stack gap="3" minH="10rem">
        <form onSubmit={submit}>
          <SearchField ref={field} label={t('find.words')} value={words} onChange={setWords} maxW="100%" />
        </form>
        <Text role="status" textStyle="xs" color="fg.muted">
          {isLoading && <Spinner size="xs" me="2" aria-hidden />}
          {statusText(isLoading, wanted, matches.length)}
        </Text>
        {problem && (
          <Text color="fg.error">
            {t('find.olderFailed')} {problem}
          </Text>
        )}
        <Stack as="ul" listStyleType="none" gap="1" aria-label={t('find.matches')}>
          {matches.slice(0, MAX_ROWS).map((match) => (
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
        {match.isUserMessage ? t('chat.userAvatar') : t('chat.aiAvatar')}
      </Box>
      <Box as="span" minW="0" overflowWrap="anywhere">
        {before}
        <Mark bg="jade.muted" color="jade.fg" fontWeight="semibold" borderRadius="2px">
          {found}
        </Mark>
        {after}
      </Box>
    </chakra.button>
  );
}

function statusText(isLoading: boolean, wanted: string, count: number): string {
  if (isLoading) return t('find.reading');
  if (!wanted.trim()) return t('find.hint');
  if (count === 0) return t('find.none');
  return count > MAX_ROWS ? t('find.countCut', { count, shown: MAX_ROWS }) : t('find.count', { count });
}

function useLoadWholeThread(threadId: number): { isLoading: boolean; problem: string | null } {
  const isLoading = useFoundMessage((state) => state.isLoadingThread);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    loadWholeThread(threadId).catch((error: unknown) => setProblem(errorText(error)));
  }, [threadId]);
  return { isLoading, problem };
}
