import { Box, Text } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { lazy, Suspense, useEffect } from 'react';
import { threadsQuery } from '../../app/queries/threads.query';
import { currentUserQuery } from '../../app/queries/user.query';
import { SectionHeading } from './section';

const MemberChats = lazy(() => import('./member-chats'));

export function RecentChats({ onNavigate }: { onNavigate: () => void }) {
  const { data: user, isPending } = useQuery(currentUserQuery);
  const client = useQueryClient();
  useEffect(() => {
    // Beside the part that shows them rather than after it.
    if (user) void client.prefetchInfiniteQuery(threadsQuery());
  }, [user, client]);

  return (
    <Box as="section" aria-label={TEXTS.sidebar.recentChats}>
      <SectionHeading>{TEXTS.sidebar.recentChats}</SectionHeading>
      <Suspense fallback={<Box height="calc(30vh + 2.75rem)" />}>
        {user && <MemberChats onNavigate={onNavigate} />}
      </Suspense>
      {!user && (
        <Box height="30vh">
          {!isPending && (
            <Text color="fg.muted" px="2.5" py="2">
              {TEXTS.sidebar.guestHistory}
            </Text>
          )}
        </Box>
      )}
    </Box>
  );
}
