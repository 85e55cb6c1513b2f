import { Box, Flex, Text } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { t } from '../../../app/i18n/translate';
import { threadsQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { LoadingChats } from '../loading-chats';
import { SectionHeading } from '../section';

const MemberChats = lazyWithPreload(() => import('./member-chats'));
const WaitingMark = lazyWithPreload(() => import('./waiting-mark'));

/** Loads a user's threads and the component that shows them in parallel, before the menu of a narrow screen opens. */
export function usePreloadedChats(): void {
  const { data: user } = useQuery(currentUserQuery);
  const client = useQueryClient();
  useEffect(() => {
    if (!user) return;
    void client.prefetchInfiniteQuery(threadsQuery());
    void MemberChats.preload();
  }, [user, client]);
}

/** Marks the title of the tab, and the button beside it, while a chat of the account waits for approval. */
export function ChatsMark({ isShown = true }: { isShown?: boolean }) {
  const { data: user } = useQuery(currentUserQuery);
  return <Suspense>{user && <WaitingMark isShown={isShown} />}</Suspense>;
}

export function RecentChats({ onNavigate }: { onNavigate: () => void }) {
  const { data: user, isPending } = useQuery(currentUserQuery);

  return (
    <Flex
      as="section"
      direction="column"
      // Takes the height that the other sections leave free.
      flex="1 0 auto"
      aria-label={t('sidebar.recentChats')}
    >
      <SectionHeading>{t('sidebar.recentChats')}</SectionHeading>
      <Suspense
        fallback={
          <Box flex="1" minH="calc(30vh + 2.75rem)">
            <LoadingChats />
          </Box>
        }
      >
        {user && <MemberChats onNavigate={onNavigate} />}
      </Suspense>
      {!user && (
        <Box flex="1" minH="30vh">
          {isPending ? (
            <LoadingChats />
          ) : (
            <Text color="fg.muted" px="2.5" py="2">
              {t('sidebar.guestHistory')}
            </Text>
          )}
        </Box>
      )}
    </Flex>
  );
}
