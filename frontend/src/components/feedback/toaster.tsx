import { Box, Portal, Toast, Toaster as ChakraToaster } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { t } from '../../app/i18n/translate';
import { toaster } from './toast-store';

const SWIPE_PX = 50;
const ICONS: Record<string, typeof Info> = { success: CircleCheck, error: CircleAlert, info: Info };

interface ToastData {
  id?: string;
  type?: string;
  title?: string;
  description?: string;
  action?: { label: string };
}

function Notification({ toast }: { toast: ToastData }) {
  const notice = useRef<HTMLDivElement>(null);
  useAboveComposer(notice);
  const { offset, handlers } = useSwipeRight(SWIPE_PX, () => toaster.dismiss(toast.id));
  const Icon = ICONS[toast.type ?? 'info'] ?? Info;
  return (
    <Toast.Root ref={notice} {...handlers} style={{ marginLeft: offset, marginRight: -offset, touchAction: 'pan-y' }}>
      <Box asChild flexShrink={0} boxSize="5" color={toast.type === 'success' ? 'fg.accent' : 'currentcolor'}>
        <Icon aria-hidden />
      </Box>
      <Box flex="1" minW="0">
        <Toast.Title>{toast.title}</Toast.Title>
        {toast.description && <Toast.Description>{toast.description}</Toast.Description>}
      </Box>
      {toast.action && <Toast.ActionTrigger>{toast.action.label}</Toast.ActionTrigger>}
      <Toast.CloseTrigger aria-label={t('common.close')}>
        <X aria-hidden />
      </Toast.CloseTrigger>
    </Toast.Root>
  );
}

/** Renders the notices of `notify`. A portal keeps them outside of open dialogs, which hide the rest of the page from screen readers. */
export function Toaster() {
  return (
    <Portal>
      <ChakraToaster
        toaster={toaster}
        aria-label={t('common.notices')}
        width={{ base: 'calc(100% - 2rem)', md: '420px' }}
      >
        {(toast) => <Notification key={toast.id} toast={toast as ToastData} />}
      </ChakraToaster>
    </Portal>
  );
}

/** Pixels between a notice and the composer. */
const GAP = 8;
/** The composer, or what stands in its place. */
const COMPOSER = '.composer, .composer-notice';
/** A composer within this distance stands at the lower edge of the window. On the home page it stands in the middle. */
const EDGE = 64;
/** The header of a narrow screen and a gap, in px: no notice covers its buttons. */
const HEADER = 56;
/** Width in px below which a notice is as wide as the screen, and would cover the fields and buttons at its lower end. */
const NARROW = 768;
/**
 * Keeps notices above a composer at the lower edge of the window, which is as tall as its attachments and text. Elsewhere
 * they stand at the lower edge, and on phones below the header: forms and the keyboard take the rest.
 */
function useAboveComposer(notice: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    let observed: Element | null = null;
    const place = () => {
      const composer = document.querySelector(COMPOSER);
      if (composer !== observed) {
        if (observed) observer.unobserve(observed);
        if (composer) observer.observe(composer);
        observed = composer;
      }
      const { top, bottom } = composer?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
      // A dialog hides the page.
      const isAtEdge = composer && window.innerHeight - bottom < EDGE && !composer.closest('[inert], [aria-hidden]');
      const highest = `100dvh - ${HEADER + (notice.current?.offsetHeight ?? 0)}px`;
      const aboveComposer = `max(7.5rem, min(${window.innerHeight - top + GAP}px, ${highest}))`;
      const elsewhere = window.innerWidth < NARROW ? `calc(${highest})` : '7.5rem';
      style.setProperty('--above-composer', isAtEdge ? aboveComposer : elsewhere);
    };
    const observer = new ResizeObserver(place);
    place();
    // The notice of a used-up quota loads late, and a login replaces it by the composer.
    const swaps = new MutationObserver(() => {
      if (document.querySelector(COMPOSER) !== observed) place();
    });
    swaps.observe(document.body, { childList: true, subtree: true });
    if (notice.current) observer.observe(notice.current);
    // The property stays, because the previous notice is removed after the next one is placed.
    return () => {
      observer.disconnect();
      swaps.disconnect();
    };
  }, [notice]);
}

/** Handlers for an element that is dismissed by a drag to the right of more than `distance` px; `offset` is the drag so far. */
function useSwipeRight(distance: number, onSwipe: () => void) {
  const start = useRef<number | null>(null);
  const [offset, setOffset] = useState(0);

  const end = (event: PointerEvent) => {
    if (start.current === null) return;
    const moved = event.clientX - start.current;
    start.current = null;
    setOffset(0);
    if (moved > distance) onSwipe();
  };

  return {
    offset,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        start.current = event.clientX;
      },
      onPointerMove: (event: PointerEvent) => {
        if (start.current === null) return;
        const moved = Math.max(0, event.clientX - start.current);
        // Captured after 4 px, so that a click on the close button stays a click.
        if (moved > 4) event.currentTarget.setPointerCapture(event.pointerId);
        setOffset(moved);
      },
      onPointerUp: end,
      onPointerCancel: () => {
        start.current = null;
        setOffset(0);
      },
    },
  };
}
