import { Menu } from '@chakra-ui/react';
import { Pencil, Trash2 } from 'lucide-react';
import { t } from '../../../app/i18n/translate';

interface ThreadMenuProps {
  /** The row's button: position of the menu and target of the focus on close. */
  anchor: HTMLButtonElement;
  onRename: () => void;
  onDelete: () => void;
  onClose: () => void;
}

/** The single menu of the thread list; a menu in each row would make long lists slow. */
export default function ThreadMenu({ anchor, onRename, onDelete, onClose }: ThreadMenuProps) {
  const select = ({ value }: { value: string }) => (value === 'rename' ? onRename() : onDelete());
  return (
    <Menu.Root
      open
      onSelect={select}
      // The button toggles the menu itself.
      onInteractOutside={(event) => {
        if (anchor.contains(event.detail.originalEvent.target as Node)) event.preventDefault();
      }}
      onOpenChange={({ open }) => {
        if (open) return;
        anchor.focus();
        onClose();
      }}
      // Rendered in place, inside a landmark; `fixed` prevents clipping by the list.
      positioning={{ getAnchorElement: () => anchor, placement: 'bottom-end', strategy: 'fixed' }}
    >
      <Menu.Positioner>
        <Menu.Content minW="9rem">
          <Menu.Item value="rename">
            <Pencil size={16} aria-hidden /> {t('threadList.rename')}
          </Menu.Item>
          <Menu.Item value="delete" color="fg.error">
            <Trash2 size={16} aria-hidden /> {t('common.delete')}
          </Menu.Item>
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  );
}
