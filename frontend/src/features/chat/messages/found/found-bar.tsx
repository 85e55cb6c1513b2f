import { Flex, Text } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { isComposing } from '../../../../app/browser/is-composing';
import { isKey } from '../../../../app/browser/is-key';
import { ActionButton } from '../../../../components/buttons/action-button';
import { formatNumber } from '../../../../app/i18n/formats';
import { t } from '../../../../app/i18n/translate';
import type { ConversationItem } from '../conversation-view';
import { countMatches } from '../../shared/find-matches';
import { anyWordPattern, searchPattern } from '../../shared/search-pattern';
import { markRanges, rangesOf, removeMarks } from './mark-words';

const ROW_POLL_MS = 50;

interface FoundBarProps {
  /** A new object for each request. */
  requested: { messageId: number; words: string };
  items: readonly ConversationItem[];
  /** The element that scrolls the messages. */
  scroller: RefObject<HTMLElement | null>;
  scrollTo: (index: number) => void;
  onClose: () => void;
}

/** One place of the words: the message, and the number of the place in it. */
interface Place {
  messageId: number;
  nth: number;
}

const rowOf = (scroller: HTMLElement, messageId: number): Element | null =>
  scroller.querySelector(`[data-message="${messageId}"] .message-body`);

/** Marks the words of a search in a conversation until the next click, and leads from one place to the next: ‹ 2 of 9 ›. */
export default function FoundBar({ requested, items, scroller, scrollTo, onClose }: FoundBarProps) {
  const pattern = useMemo(() => patternOf(requested, items), [requested, items]);
  const places = useMemo(() => placesOf(items, pattern), [items, pattern]);
  const [shown, setShown] = useState<Place>({ messageId: requested.messageId, nth: 0 });
  const at = places.findIndex(({ messageId, nth }) => messageId === shown.messageId && nth === shown.nth);
  const bar = useRef<HTMLDivElement>(null);
  const step = (by: number) => {
    const next = places[(at + by + places.length) % places.length];
    if (next) setShown(next);
  };
  useScrollToPlace(shown, pattern, items, scroller, scrollTo);
  useMarks(shown, pattern, scroller);
  useCloseOnClick(bar, onClose);
  useKeys(step, onClose);

  if (at === -1) return null;
  return (
    <Flex
      ref={bar}
      role="search"
      aria-label={t('find.matches')}
      position="absolute"
      top="2"
      insetEnd={{ base: '3', md: '6' }}
      zIndex="1"
      align="center"
      ps="3"
      pe="1"
      bg="bg.panel"
      borderWidth="1px"
      borderRadius="full"
      boxShadow="float"
    >
      <Text role="status" textStyle="xs" fontVariantNumeric="tabular-nums">
        {t('find.place', { place: formatNumber(at + 1), count: formatNumber(places.length) })}
      </Text>
      <ActionButton size="sm" label={t('find.previous')} onClick={() => step(-1)} disabled={places.length < 2}>
        <ChevronLeft size={16} />
      </ActionButton>
      <ActionButton size="sm" label={t('find.next')} onClick={() => step(1)} disabled={places.length < 2}>
        <ChevronRight size={16} />
      </ActionButton>
      <ActionButton size="sm" label={t('common.close')} onClick={onClose}>
        <X size={16} />
      </ActionButton>
    </Flex>
  );
}

/** The words as they stand, or, where the message has them apart from one another, the beginning of any of them. */
function patternOf({ messageId, words }: FoundBarProps['requested'], items: readonly ConversationItem[]): RegExp {
  const phrase = searchPattern(words) ?? /(?!)/u;
  const found = items.find((item) => item.kind === 'message' && item.message.id === messageId);
  const hasPhrase = found?.kind !== 'message' || countMatches(found.message, phrase) > 0;
  return hasPhrase ? phrase : anyWordPattern(words);
}

function placesOf(items: readonly ConversationItem[], pattern: RegExp): Place[] {
  return items.flatMap((item) => {
    if (item.kind !== 'message') return [];
    const { id } = item.message;
    return Array.from({ length: countMatches(item.message, pattern) }, (_, nth) => ({ messageId: id, nth }));
  });
}

/** Scrolls to a place once its message is there: it may arrive later, and its row is mounted by the scroll. */
function useScrollToPlace(
  { messageId, nth }: Place,
  pattern: RegExp,
  items: readonly ConversationItem[],
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): void {
  const index = items.findIndex((item) => item.kind === 'message' && item.message.id === messageId);
  const hasArrived = index >= 0;
  const scroll = useEffectEvent(() => scrollTo(index));
  useEffect(() => {
    if (!hasArrived) return;
    scroll();
    const search = setInterval(() => {
      const element = scroller.current;
      const row = element && rowOf(element, messageId);
      if (!row) return;
      clearInterval(search);
      const ranges = rangesOf(row, pattern);
      const range = ranges[Math.min(nth, ranges.length - 1)];
      if (range) showRange(range, element);
    }, ROW_POLL_MS);
    return () => clearInterval(search);
  }, [hasArrived, messageId, nth, pattern, scroller]);
}

/** Scrolls a range to the middle of the screen, unless it is well inside of it. */
function showRange(range: Range, scroller: HTMLElement): void {
  const foldedAround = (element?: Element | null) => element?.closest('details:not([open])');
  let folded = foldedAround(range.startContainer.parentElement);
  for (; folded; folded = foldedAround(folded.parentElement)) folded.setAttribute('open', '');
  const place = range.getBoundingClientRect();
  const frame = scroller.getBoundingClientRect();
  const quarter = frame.height / 4;
  if (place.top > frame.top + quarter && place.bottom < frame.bottom - quarter) return;
  scroller.scrollTop += place.top - frame.top - frame.height / 2;
}

/** Marks the words in all rows that are mounted, again after each change of them. */
function useMarks({ messageId, nth }: Place, pattern: RegExp, scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const mark = () => {
      const bodies = [...element.querySelectorAll('[data-message] .message-body')];
      const ranges = bodies.map((body) => rangesOf(body, pattern));
      const own = ranges[bodies.indexOf(rowOf(element, messageId)!)] ?? [];
      markRanges(ranges.flat(), own[Math.min(nth, own.length - 1)]);
    };
    let frame = 0;
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    mark();
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [messageId, nth, pattern, scroller]);
  useEffect(() => removeMarks, []);
}

function useCloseOnClick(bar: RefObject<HTMLElement | null>, onClose: () => void): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const handleClick = ({ target }: MouseEvent) => {
      if (!bar.current?.contains(target as Node)) close();
    };
    // In the capture phase: the click counts that a menu or a link stops.
    document.addEventListener('click', handleClick, true);
    return () => document.removeEventListener('click', handleClick, true);
  }, [bar]);
}

/** F3 and Ctrl+G lead to the next place, with Shift to the one before; Escape removes the marks. */
function useKeys(step: (by: number) => void, onClose: () => void): void {
  const stepBy = useEffectEvent(step);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const { key, shiftKey, ctrlKey, metaKey } = event;
      const isNext = key === 'F3' || ((ctrlKey || metaKey) && isKey(event, 'g'));
      if ((!isNext && (key !== 'Escape' || shiftKey)) || isComposing(event) || isInDialog(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      if (isNext) stepBy(shiftKey ? -1 : 1);
      else close();
    };
    document.addEventListener('keydown', handleKey, true);
    return () => document.removeEventListener('keydown', handleKey, true);
  }, []);
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog], [role=alertdialog], [role=menu]') !== null;
