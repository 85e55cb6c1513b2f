import { Menu } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';

interface ThreadMenuProps {
  /** The row's button; the menu opens at it and gives the focus back to it. */
  anchor: HTMLButtonElement;
  onRename: () => void;
  onDelete: () => void;
  onClose: () => void;
}

/** One menu for the whole list: a menu of its own in each row would make long lists slow. */
export default function ThreadMenu({ anchor, onRename, onDelete, onClose }: ThreadMenuProps) {
  const select = ({ value }: { value: string }) => (value === 'rename' ? onRename() : onDelete());
  return (
    <Menu.Root
      open
      onSelect={select}
      // A second press on the button closes the menu by the button itself.
      onInteractOutside={(event) => {
        if (anchor.contains(event.detail.originalEvent.target as Node)) event.preventDefault();
      }}
      onOpenChange={({ open }) => {
        if (open) return;
        anchor.focus();
        onClose();
      }}
      // In its place in the page, so that it belongs to a landmark; `fixed` keeps the list from cutting it.
      positioning={{ getAnchorElement: () => anchor, placement: 'bottom-end', strategy: 'fixed' }}
    >
      <Menu.Positioner>
        <Menu.Content minW="9rem">
          <Menu.Item value="rename">
            <Pencil size={16} aria-hidden /> Rename
          </Menu.Item>
          <Menu.Item value="delete" color="fg.error">
            <Trash2 size={16} aria-hidden /> Delete
          </Menu.Item>
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  );
}
