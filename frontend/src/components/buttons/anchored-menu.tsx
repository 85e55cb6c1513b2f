import { Menu } from '@chakra-ui/react';
import type { ReactNode } from 'react';

interface AnchoredMenuProps {
  /** The button that opened the menu. It toggles the menu itself and gets the focus back. */
  anchor: HTMLElement;
  placement: 'bottom-start' | 'bottom-end';
  /** Called with the value of the chosen item. */
  onSelect?: (value: string) => void;
  onClose: () => void;
  children: ReactNode;
}

/** An open menu below the button that rendered it, for menus that load at their first use. */
export function AnchoredMenu({ anchor, placement, onSelect, onClose, children }: AnchoredMenuProps) {
  return (
    <Menu.Root
      open
      onSelect={({ value }) => onSelect?.(value)}
      onInteractOutside={(event) => {
        if (anchor.contains(event.detail.originalEvent.target as Node)) event.preventDefault();
      }}
      onOpenChange={({ open }) => {
        if (open) return;
        anchor.focus();
        onClose();
      }}
      // Rendered in place, inside a landmark; `fixed` prevents clipping by the list.
      positioning={{ getAnchorElement: () => anchor, placement, strategy: 'fixed' }}
    >
      <Menu.Positioner>{children}</Menu.Positioner>
    </Menu.Root>
  );
}
