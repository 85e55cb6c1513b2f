import { Flex, Text } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { t } from '../../../app/i18n/translate';
import { threadsQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { lazyWithPreload } from '../../../components/lazy/lazy-with-preload';
import { LoadingChats } from '../loading-chats';

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
      position="relative"
      // Takes the height that the rows above it leave free.
      flex="1 0 auto"
      minH="30vh"
      // The last row is above the fade of the cut.
      pb="8"
      aria-label={t('sidebar.recentChats')}
    >
      <Flex asChild align="center" ps="2.5" minH="6" textStyle="xs" color="fg.muted" fontWeight="medium">
        <h2>{t('sidebar.recentChats')}</h2>
      </Flex>
      <Suspense fallback={<LoadingChats />}>{user && <MemberChats onNavigate={onNavigate} />}</Suspense>
      {isPending && <LoadingChats />}
      {!user && !isPending && (
        <Text color="fg.muted" px="2.5" py="1">
          {t('sidebar.guestHistory')}
        </Text>
      )}
    </Flex>
  );
}
