import { Box, Text } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { useEffect, useRef, useState } from 'react';
import { onCommand } from '../../app/commands';
import { currentUserQuery } from '../../app/queries/user.query';
import { SearchField } from '../../components/search-field';
import { useDebounced } from '../../components/use-debounced';
import { showSidebar } from './sidebar-store';
import { SectionHeading } from './section';
import { ThreadList } from './thread-list';

const SEARCH_REST_MS = 250;

export function RecentChats({ onNavigate }: { onNavigate: () => void }) {
  const { data: user, isPending } = useQuery(currentUserQuery);
  const [search, setSearch] = useState('');
  const query = useDebounced(search.trim(), SEARCH_REST_MS);
  const input = useRef<HTMLInputElement>(null);

  useEffect(
    () =>
      onCommand('search', () => {
        showSidebar();
        // The slide-in takes the focus first.
        setTimeout(() => input.current?.focus(), 50);
      }),
    [],
  );

  return (
    <Box as="section" aria-label={TEXTS.sidebar.recentChats}>
      <SectionHeading>{TEXTS.sidebar.recentChats}</SectionHeading>
      {user && (
        <Box mb="2">
          <SearchField ref={input} label="Search chats" value={search} onChange={setSearch} />
        </Box>
      )}
      <Box height="30vh" overflowY="auto" mx="-1" px="1" tabIndex={-1} data-scroller>
        {user && <ThreadList query={query} onNavigate={onNavigate} />}
        {!user && !isPending && (
          <Text color="fg.muted" px="2.5" py="2">
            {TEXTS.sidebar.guestHistory}
          </Text>
        )}
      </Box>
    </Box>
  );
}
