import { Drawer, Portal, VisuallyHidden } from '@chakra-ui/react';
import { useRef, type TouchEvent } from 'react';
import { t } from '../../app/i18n/translate';
import { useOnBack } from '../../components/hooks/use-on-back';
import { Sidebar } from './sidebar';
import { MOBILE_SIDEBAR_ID } from './toggle-sidebar';

const SWIPE_PX = 60;

/** The drawer of narrow screens. Closes on Escape, on a tap outside, on a swipe to its side; its links close it by themselves. */
export default function MobileSidebar({ onClose }: { onClose: () => void }) {
  useOnBack(onClose);
  const start = useRef<{ x: number; y: number } | null>(null);
  const touchStart = ({ touches }: TouchEvent) => {
    start.current = touches[0] ? { x: touches[0].clientX, y: touches[0].clientY } : null;
  };
  const touchEnd = ({ changedTouches }: TouchEvent) => {
    const end = changedTouches[0];
    if (!start.current || !end) return;
    const isRightToLeft = document.documentElement.dir === 'rtl';
    const swiped = (start.current.x - end.clientX) * (isRightToLeft ? -1 : 1);
    if (swiped > SWIPE_PX && swiped > Math.abs(end.clientY - start.current.y)) onClose();
  };
  return (
    <Drawer.Root
      open
      ids={{ content: MOBILE_SIDEBAR_ID }}
      placement="start"
      onOpenChange={({ open }) => {
        if (!open) onClose();
      }}
    >
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content
            width="18rem"
            maxW="85vw"
            pt="env(safe-area-inset-top)"
            pb="env(safe-area-inset-bottom)"
            pl="env(safe-area-inset-left)"
            pr="env(safe-area-inset-right)"
            onTouchStart={touchStart}
            onTouchEnd={touchEnd}
          >
            <VisuallyHidden asChild>
              <Drawer.Title>{t('threadList.menu')}</Drawer.Title>
            </VisuallyHidden>
            <Sidebar />
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}
