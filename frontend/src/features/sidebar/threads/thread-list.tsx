import { Box, Button, Stack, Text } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { Thread } from '@tanya/contract';
import { type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../../app/i18n/translate';
import { threadsQuery } from '../../../app/queries/threads.query';
import { useThreadActivity } from '../../../app/state/thread-activity';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import { groupThreads, type ThreadGroup } from './group-threads';
import { LoadingChats } from '../loading-chats';
import { setRoomBeside } from '../sections-store';
import { RowsNearScreen } from './rows-near-screen';
import { SelectionBar } from './selection-bar';
import { endSelection, selectTo, toggleSelected, useSelection } from './selection-store';
import type { ThreadDialogKind } from './thread-menu';
import { ThreadRow } from './thread-row';
import { waitingQuery } from './waiting.query';

const ThreadMenu = lazyDialog(() => import('./thread-menu'));
const ThreadDialogs = lazyDialog(() => import('./thread-dialogs'));

export function ThreadList({ onNavigate }: { onNavigate: () => void }) {
  const threads = useInfiniteQuery(threadsQuery());
  const all = useMemo(() => threads.data?.pages.flatMap((page) => page.items) ?? [], [threads.data]);
  const unlisted = useUnlistedWaiting(all);
  useRoomBeside(threads.data && all.length);
  const loadMore = () => void threads.fetchNextPage();

  if (threads.isPending) return <LoadingChats />;
  if (threads.isError && all.length === 0)
    return <Failure busy={threads.isFetching} onRetry={() => void threads.refetch()} />;
  if (all.length === 0 && unlisted.length === 0) {
    return (
      <Text color="fg.muted" px="2.5" py="2">
        {t('sidebar.noHistory')}
      </Text>
    );
  }
  return (
    <>
      <Groups unlisted={unlisted} threads={all} onNavigate={onNavigate} />
      {threads.isFetchNextPageError ? (
        <Failure busy={threads.isFetchingNextPage} onRetry={loadMore} />
      ) : (
        threads.hasNextPage && <LoadMore busy={threads.isFetchingNextPage} onReached={loadMore} />
      )}
    </>
  );
}

/** Tells the sections below the list how long it is when it is first shown. */
function useRoomBeside(count: number | undefined): void {
  const isTold = useRef(false);
  useEffect(() => {
    if (count === undefined || isTold.current) return;
    isTold.current = true;
    setRoomBeside(count);
  }, [count]);
}

function Failure({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  return (
    <Stack role="alert" px="2.5" py="2" align="start">
      <Text color="fg.muted">{t('threadList.failed')}</Text>
      <Button size="xs" variant="outline" loading={busy} onClick={onRetry}>
        {t('settings.tryAgain')}
      </Button>
    </Stack>
  );
}

/** Threads that wait for approval and are not in the list: archived ones, and those of pages that are not loaded. */
function useUnlistedWaiting(listed: readonly Thread[]): Thread[] {
  const { data } = useQuery(waitingQuery);
  return useMemo(() => {
    const known = new Set(listed.map(({ id }) => id));
    return (data ?? []).filter(({ id }) => !known.has(id));
  }, [data, listed]);
}

/** A timer to midnight would stand still while the device sleeps. */
function onMinute(listener: () => void): () => void {
  const timer = setInterval(listener, 60_000);
  return () => clearInterval(timer);
}

interface GroupsProps {
  unlisted: Thread[];
  threads: Thread[];
  onNavigate: () => void;
}

function Groups({ unlisted, threads, onNavigate }: GroupsProps) {
  const { streaming, unread } = useThreadActivity();
  const openId = useParams({ strict: false }).id;
  const [menu, setMenu] = useState<{ thread: Thread; anchor: HTMLButtonElement } | null>(null);
  const [dialog, setDialog] = useState<{ thread: Thread; kind: ThreadDialogKind } | null>(null);
  const today = useSyncExternalStore(onMinute, () => new Date().toDateString());
  const groups = useMemo(() => {
    const listed = groupThreads(threads, new Date(today));
    return unlisted.length > 0 ? [{ name: t('threadList.waiting'), threads: unlisted }, ...listed] : listed;
  }, [threads, unlisted, today]);
  const { list, selected, shown, select, press } = useThreadSelection(groups);
  const toggleMenu = useCallback(
    (thread: Thread, anchor: HTMLButtonElement) =>
      setMenu((open) => (open?.thread.id === thread.id ? null : { thread, anchor })),
    [],
  );

  return (
    <Box ref={list} onKeyDown={press}>
      {selected && <SelectionBar shown={shown} onEnd={() => focusRowInView(list.current)} />}
      {groups.map(({ name, threads: members }) => (
        <Box key={name}>
          <Text textStyle="xs" color="fg.muted" px="2.5" pt="1.5" pb="0.5" className="day-heading">
            {name}
          </Text>
          <Box
            as="ul"
            listStyleType="none"
            aria-label={name}
            css={{ '--row': '2rem', '@media (pointer: coarse)': { '--row': '2.5rem' } }}
          >
            <RowsNearScreen threads={members}>
              {(thread) => (
                <ThreadRow
                  thread={thread}
                  active={thread.id === openId}
                  streaming={thread.streaming || streaming.has(thread.id)}
                  unread={unread.has(thread.id)}
                  menuOpen={menu?.thread.id === thread.id}
                  selected={selected && selected.has(thread.id)}
                  onSelect={select}
                  onMenu={toggleMenu}
                  onNavigate={onNavigate}
                />
              )}
            </RowsNearScreen>
          </Box>
        </Box>
      ))}
      {menu && (
        <ThreadMenu
          thread={menu.thread}
          anchor={menu.anchor}
          onClose={() => setMenu(null)}
          onDialog={(kind) => setDialog({ thread: menu.thread, kind })}
        />
      )}
      {dialog && <ThreadDialogs {...dialog} onClose={() => setDialog(null)} />}
    </Box>
  );
}

/** The selection of the shown threads. Its first box gets the focus, Escape ends it. */
function useThreadSelection(groups: readonly ThreadGroup[]) {
  const list = useRef<HTMLDivElement>(null);
  const selected = useSelection((state) => state.selected);
  const isSelecting = selected !== null;
  const shown = useMemo(() => groups.flatMap(({ threads }) => threads.map(({ id }) => id)), [groups]);
  const newestShown = useRef(shown);
  useEffect(() => {
    newestShown.current = shown;
  }, [shown]);
  // Stable: a new function renders each row of the list, at each page that is loaded.
  const select = useCallback(
    ({ id }: Thread, isRange: boolean) => (isRange ? selectTo(id, newestShown.current) : toggleSelected(id)),
    [],
  );
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isSelecting) return;
    // The drawer of a phone stays open.
    event.stopPropagation();
    endSelection();
    focusRowInView(list.current);
  };
  useEffect(() => {
    if (!isSelecting) return;
    // After the menu has returned the focus to its button, which is then removed.
    const timer = setTimeout(() => list.current?.querySelector<HTMLElement>('input:checked')?.focus());
    return () => clearTimeout(timer);
  }, [isSelecting]);
  useEffect(() => endSelection, []);
  return { list, selected, shown, select, press };
}

/** Focuses the row that has the focus, or had it in its box, else the first one that is seen: the list keeps its place. */
function focusRowInView(list: HTMLElement | null): void {
  const focused = document.activeElement?.closest('li');
  setTimeout(() => {
    const top = list?.closest('[data-scroller]')?.getBoundingClientRect().top ?? 0;
    const rows = [...(list?.querySelectorAll('li:has(a)') ?? [])];
    const seen = rows.find((row) => row.getBoundingClientRect().top >= top) ?? rows.at(-1);
    const row = focused && rows.includes(focused) ? focused : seen;
    row?.querySelector('a')?.focus();
  });
}

/** Loads the next page when the end of the list becomes visible. Unmount it after a failure: it would repeat the read at once. */
function LoadMore({ busy, onReached }: { busy: boolean; onReached: () => void }) {
  const mark = useRef<HTMLDivElement>(null);
  const reached = useRef(onReached);
  useEffect(() => {
    reached.current = onReached;
  });
  useEffect(() => {
    if (busy || !mark.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) reached.current();
      },
      // Early, so that scrolling seldom waits.
      { root: mark.current.closest('[data-scroller]'), rootMargin: '800px 0px' },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [busy]);
  return (
    <Box ref={mark} height="9">
      {busy && <LoadingChats />}
    </Box>
  );
}
