import { Box, Dialog, Input, Portal, Spinner, Text, VisuallyHidden } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { LIMITS, SEARCH_QUERY_MAX, type SearchResult } from '@tanya/contract';
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { errorText } from '../../../app/api/api-error';
import { isComposing } from '../../../app/browser/is-composing';
import { t } from '../../../app/i18n/translate';
import { threadsQuery } from '../../../app/queries/threads.query';
import { currentUserQuery } from '../../../app/queries/user.query';
import { setMessageTarget } from '../../../app/state/message-target';
import { slideOut } from '../../../app/state/sidebar';
import { afterOverlays } from '../../../components/hooks/overlay-history';
import { useDebounced } from '../../../components/hooks/use-debounced';
import { useOnBack } from '../../../components/hooks/use-on-back';
import { takeOpener } from './open-palette';
import { groupsOf, type PaletteGroup, type PaletteOption } from './palette-options';
import { PaletteRow } from './palette-row';
import { usePaletteCommands } from './use-palette-commands';
import { api, type Page } from '../../../app/api/api-client';

/** The newest threads that match the words, each with its matching line. Not cached, because conversations change. */
const searchQuery = (words: string) =>
  queryOptions({
    queryKey: ['threads', 'search', words],
    queryFn: ({ signal }) =>
      api.getPage<SearchResult>(
        `/api/chat/search?${new URLSearchParams({ query: words, limit: String(LIMITS.searchResults) })}`,
        signal,
      ),
    enabled: words !== '',
    staleTime: 0,
    gcTime: 0,
    placeholderData: words === '' ? undefined : keepPreviousData,
  });

const NOTHING_FOUND: Page<SearchResult> = { items: [], nextCursor: null };

const SEARCH_DEBOUNCE_MS = 180;
const RECENT = 6;
const PAGE = 8;

/** Searches chats and runs commands. Every key works in its one field. */
export default function PaletteDialog({ onClose }: { onClose: () => void }) {
  useOnBack(onClose);
  const [opener] = useState(takeOpener);
  const field = useRef<HTMLInputElement>(null);
  // At once, so that the next key reaches the field.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <Dialog.Root
      open
      size="md"
      placement="top"
      scrollBehavior="inside"
      initialFocusEl={() => field.current}
      finalFocusEl={() => opener}
      onOpenChange={({ open }) => {
        if (!open) onClose();
      }}
    >
      <Portal>
        <Dialog.Backdrop />
        <Dialog.Positioner px="3" height="var(--visible-height, 100dvh)" pt="max(10vh, env(safe-area-inset-top))">
          <Dialog.Content maxH="min(32rem, calc(100% - 1rem))" overflow="hidden">
            <VisuallyHidden asChild>
              <Dialog.Title>{t('palette.title')}</Dialog.Title>
            </VisuallyHidden>
            <Palette
              field={field}
              onChoose={(run) => {
                onClose();
                // Later, so that a dialog or a page that opens gets the focus. On phones the palette has an entry in the
                // history, which navigation must not leave behind.
                afterOverlays(run);
              }}
            />
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

interface PaletteProps {
  field: React.RefObject<HTMLInputElement | null>;
  onChoose: (run: () => void) => void;
}

function Palette({ field, onChoose }: PaletteProps) {
  const [query, setQuery] = useState('');
  const { groups, words, status, isSearching } = usePaletteGroups(query);
  const options = groups.flatMap((group) => group.options);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const at = Math.max(
    0,
    options.findIndex(({ key }) => key === activeKey),
  );
  const active = options[at];
  const listId = useId();
  const idOf = (option: PaletteOption) => `${listId}-${option.key}`;
  const open = useOpenThread();
  const choose = (option: PaletteOption) =>
    onChoose(option.kind === 'command' ? option.command.run : () => open(option, words));
  /** Enter was pressed before the results of the words were there. */
  const [isEntered, setEntered] = useState(false);
  const enter = useEffectEvent(() => {
    setEntered(false);
    if (active) choose(active);
  });
  useEffect(() => {
    if (isEntered && !isSearching) enter();
  }, [isEntered, isSearching]);
  const moveTo = (index: number) => {
    const option = options[Math.min(Math.max(index, 0), options.length - 1)];
    if (!option) return;
    setActiveKey(option.key);
    document.getElementById(idOf(option))?.scrollIntoView({ block: 'nearest' });
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    const target = targetOf(event.key, at, options.length);
    if (target === null && event.key !== 'Enter') return;
    event.preventDefault();
    if (target !== null) moveTo(target);
    // The shown results may be those of the words before.
    else if (isSearching && active?.kind !== 'command') setEntered(true);
    else if (active) choose(active);
  };

  return (
    <>
      <Box p="2" borderBottomWidth="1px">
        <Input
          ref={field}
          variant="subtle"
          role="combobox"
          aria-expanded
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={active ? idOf(active) : undefined}
          aria-label={t('palette.field')}
          placeholder={t('palette.field')}
          // At least 16 px: phones zoom into a smaller field.
          fontSize="md"
          maxLength={SEARCH_QUERY_MAX}
          value={query}
          onChange={(event) => {
            setQuery(event.target.value);
            setActiveKey(null);
            setEntered(false);
          }}
          onKeyDown={press}
        />
      </Box>
      <Box id={listId} role="listbox" aria-label={t('palette.list')} overflowY="auto" p="2" flex="1" minH="0">
        {groups.map((group) => (
          <Group key={group.name} name={group.name}>
            {group.options.map((option) => (
              <PaletteRow
                key={option.key}
                id={idOf(option)}
                option={option}
                words={words}
                isActive={option === active}
                onChoose={() => choose(option)}
                onHover={() => setActiveKey(option.key)}
              />
            ))}
          </Group>
        ))}
      </Box>
      <Text role="status" px="4.5" py="2" textStyle="xs" color="fg.muted" borderTopWidth="1px">
        {isSearching && <Spinner size="xs" me="2" aria-hidden />}
        {status}
      </Text>
    </>
  );
}

function Group({ name, children }: { name: PaletteGroup['name']; children: React.ReactNode }) {
  const label = t(`palette.${name}`);
  return (
    <Box role="group" aria-label={label} mb="1">
      <Text textStyle="xs" color="fg.muted" fontWeight="medium" px="2.5" py="1.5" aria-hidden>
        {label}
      </Text>
      {children}
    </Box>
  );
}

/** The position that a key moves to; null for other keys. The arrows go round. */
function targetOf(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return at + 1 < count ? at + 1 : 0;
    case 'ArrowUp':
      return at > 0 ? at - 1 : count - 1;
    case 'PageDown':
      return at + PAGE;
    case 'PageUp':
      return at - PAGE;
    default:
      return null;
  }
}

/** The lines for a query. `words` are those of the shown results, which follow the query after a pause. */
function usePaletteGroups(query: string) {
  const { data: user } = useQuery(currentUserQuery);
  const commands = usePaletteCommands();
  const wanted = query.trim();
  const settled = useDebounced(wanted, SEARCH_DEBOUNCE_MS);
  const words = user && wanted !== '' ? settled : '';
  const search = useQuery(searchQuery(words));
  const { data: listed } = useInfiniteQuery({ ...threadsQuery(), enabled: false });
  const recent = useMemo(() => listed?.pages[0]?.items.slice(0, RECENT) ?? [], [listed]);
  const { items: found, nextCursor } = (words !== '' && search.data) || NOTHING_FOUND;
  const groups = groupsOf(wanted, commands, recent, found);
  const isSearching = Boolean(user) && wanted !== '' && (words !== wanted || search.isFetching);
  const count = groups.reduce((sum, { options }) => sum + options.length, 0);
  const status = search.isError
    ? errorText(search.error)
    : isSearching
      ? t('palette.searching')
      : count === 0
        ? t('palette.none')
        : nextCursor !== null
          ? t('palette.newest', { count: found.length })
          : t('palette.count', { count });
  return { groups, words, status, isSearching };
}

/** Opens a thread, at the message that matched. */
function useOpenThread(): (option: PaletteOption & { kind: 'thread' }, words: string) => void {
  const navigate = useNavigate();
  return ({ thread, match }, words) => {
    if (match) setMessageTarget({ threadId: thread.id, messageId: match.messageId, words });
    slideOut();
    void navigate({ to: '/chat/$id', params: { id: thread.id } });
  };
}
