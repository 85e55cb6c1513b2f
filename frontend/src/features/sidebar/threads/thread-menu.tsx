import { Menu } from '@chakra-ui/react';
import type { Thread } from '@tanya/contract';
import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  Folder,
  ListChecks,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Trash2,
} from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { useCanShare } from '../../../app/queries/use-can-share';
import { openProjectDialog, openShareDialog } from '../../../app/state/dialogs';
import { startSelection } from './selection-store';
import { useBatch } from './thread-batch';
import { useDuplicate } from './thread-mutations';
import { AnchoredMenu } from '../../../components/buttons/anchored-menu';

export type ThreadDialogKind = 'rename' | 'delete';

interface ThreadMenuProps {
  thread: Thread;
  /** The row's button: position of the menu and target of the focus on close. */
  anchor: HTMLButtonElement;
  onDialog: (kind: ThreadDialogKind) => void;
  onClose: () => void;
}

/** The single menu of the thread list; a menu in each row would make long lists slow. */
export default function ThreadMenu({ thread, anchor, onDialog, onClose }: ThreadMenuProps) {
  const { id, isPinned, isArchived } = thread;
  const canShare = useCanShare();
  const batch = useBatch();
  const duplicate = useDuplicate();
  const actions: Record<string, () => void> = {
    pin: () => batch.run(isPinned ? 'unpin' : 'pin', [id]),
    share: () => openShareDialog(id),
    project: () => openProjectDialog(id),
    rename: () => onDialog('rename'),
    duplicate: () => duplicate(id),
    archive: () => batch.run(isArchived ? 'unarchive' : 'archive', [id]),
    select: () => startSelection(id),
    delete: () => onDialog('delete'),
  };
  return (
    <AnchoredMenu anchor={anchor} placement="bottom-end" onSelect={(value) => actions[value]?.()} onClose={onClose}>
      <Menu.Content minW="9rem">
        <Menu.Item value="pin">
          {isPinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
          {isPinned ? t('order.unpin') : t('order.pin')}
        </Menu.Item>
        {canShare && (
          <Menu.Item value="share">
            <Share2 size={16} aria-hidden /> {t('shareDialog.menu')}
          </Menu.Item>
        )}
        <Menu.Item value="rename">
          <Pencil size={16} aria-hidden /> {t('threadList.rename')}
        </Menu.Item>
        <Menu.Item value="project">
          <Folder size={16} aria-hidden /> {t('projects.move')}
        </Menu.Item>
        <Menu.Item value="duplicate">
          <Copy size={16} aria-hidden /> {t('order.duplicate')}
        </Menu.Item>
        <Menu.Item value="export" asChild>
          <a href={`/api/chat/threads/${id}/export?format=md`} download>
            <Download size={16} aria-hidden /> {t('order.export')}
          </a>
        </Menu.Item>
        <Menu.Item value="archive">
          {isArchived ? <ArchiveRestore size={16} aria-hidden /> : <Archive size={16} aria-hidden />}
          {isArchived ? t('order.unarchive') : t('order.archive')}
        </Menu.Item>
        <Menu.Item value="select">
          <ListChecks size={16} aria-hidden /> {t('order.select')}
        </Menu.Item>
        <Menu.Item value="delete" color="fg.error">
          <Trash2 size={16} aria-hidden /> {t('common.delete')}
        </Menu.Item>
      </Menu.Content>
    </AnchoredMenu>
  );
}
