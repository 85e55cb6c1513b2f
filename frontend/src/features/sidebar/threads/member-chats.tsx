import { Box } from '@chakra-ui/react';
import { useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { SearchField } from '../../../components/forms/search-field';
import { useDebounced } from '../../../components/hooks/use-debounced';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { focusSearch } from '../open-search';
import { useSidebar } from '../sidebar-store';
import { ThreadList } from './thread-list';

const SEARCH_DEBOUNCE_MS = 250;

/** The user's threads with a search. A chunk of its own, because guests have no thread list. */
export default function MemberChats({ onNavigate }: { onNavigate: () => void }) {
  const [search, setSearch] = useState('');
  const query = useDebounced(search.trim(), SEARCH_DEBOUNCE_MS);
  const input = useRef<HTMLInputElement>(null);
  const focusRef = useFocusRecovery();

  useLayoutEffect(() => {
    if (useSidebar.getState().searchRequested) focusSearch(input.current);
  }, []);

  return (
    <>
      <Box mb="2">
        <SearchField
          ref={input}
          data-chat-search=""
          label={t('threadList.search')}
          value={search}
          onChange={setSearch}
        />
      </Box>
      <Box ref={focusRef} flex="1 1 0" minH="30vh" overflowY="auto" mx="-1" px="1" tabIndex={-1} data-scroller>
        <ThreadList query={query} onNavigate={onNavigate} />
      </Box>
    </>
  );
}
