import { Box } from '@chakra-ui/react';
import { Archive } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { SearchField } from '../../../components/forms/search-field';
import { useDebounced } from '../../../components/hooks/use-debounced';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { openDialog } from '../../../app/state/dialogs';
import { NavButton } from '../nav-item';
import { ThreadList } from './thread-list';

const SEARCH_DEBOUNCE_MS = 250;

/** The user's threads with a search. A chunk of its own, because guests have no thread list. */
export default function MemberChats({ onNavigate }: { onNavigate: () => void }) {
  const [search, setSearch] = useState('');
  const query = useDebounced(search.trim(), SEARCH_DEBOUNCE_MS);
  const focusRef = useFocusRecovery();

  return (
    <>
      <Box mb="2">
        <SearchField label={t('threadList.search')} value={search} onChange={setSearch} />
      </Box>
      <Box ref={focusRef} flex="1 1 0" minH="30vh" overflowY="auto" mx="-1" px="1" tabIndex={-1} data-scroller>
        <ThreadList query={query} onNavigate={onNavigate} />
      </Box>
      <NavButton icon={Archive} onClick={() => openDialog('archived')}>
        {t('order.archived')}
      </NavButton>
    </>
  );
}
