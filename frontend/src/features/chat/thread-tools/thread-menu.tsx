import { Menu } from '@chakra-ui/react';
import type { Thread } from '@tanya/contract';
import { Archive, Download, Folder, ListCollapse, Printer, Share2, TextSearch, Trash2 } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { writeSummary } from '../../../app/queries/summary.query';
import { runCommand } from '../../../app/state/commands';
import { openDeleteDialog, openProjectDialog, openShareDialog } from '../../../app/state/dialogs';
import { AnchoredMenu } from '../../../components/buttons/anchored-menu';
import { showFailure } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';
import { useArchive } from './use-archive';

const FORMATS = [
  ['md', 'Markdown'],
  ['json', 'JSON'],
] as const;

interface ThreadMenuProps {
  threadId: number;
  canShare: boolean;
  canExport: boolean;
  /** The chat of a member; guests have no list to move it in. */
  own: Thread | null | undefined;
  /** The button that opened the menu. */
  anchor: HTMLButtonElement;
  onFind: () => void;
  onClose: () => void;
}

/** The menu of an open conversation. */
export default function ThreadMenu(props: ThreadMenuProps) {
  const { threadId, canShare, canExport, own, anchor, onFind, onClose } = props;
  const archive = useArchive(threadId);
  return (
    <AnchoredMenu anchor={anchor} placement="bottom-end" onClose={onClose}>
      <Menu.Content>
        {canShare && (
          <Menu.Item value="share" onClick={() => openShareDialog(threadId)}>
            <Share2 size={16} aria-hidden /> {t('shareDialog.title')}
          </Menu.Item>
        )}
        <Menu.Item value="find" onClick={onFind}>
          <TextSearch size={16} aria-hidden /> {t('shortcuts.find')}
        </Menu.Item>
        {own && (
          <Menu.Item value="project" onClick={() => openProjectDialog(threadId)}>
            <Folder size={16} aria-hidden /> {t('projects.move')}
          </Menu.Item>
        )}
        <Menu.Item value="summarise" onClick={() => void summarise(threadId)}>
          <ListCollapse size={16} aria-hidden /> {t('summary.menu')}
        </Menu.Item>
        {(canExport ? FORMATS : []).map(([format, name]) => (
          <Menu.Item key={format} value={format} asChild>
            <a href={`/api/chat/threads/${threadId}/export?format=${format}`} download>
              <Download size={16} aria-hidden /> {t('export.as', { format: name })}
            </a>
          </Menu.Item>
        ))}
        <Menu.Item value="print" onClick={() => runCommand('print')}>
          <Printer size={16} aria-hidden /> {t('export.print')}
        </Menu.Item>
        {own && !own.temporary && !own.isArchived && (
          <Menu.Item value="archive" onClick={() => archive.mutate(true)}>
            <Archive size={16} aria-hidden /> {t('order.archive')}
          </Menu.Item>
        )}
        {own && (
          <Menu.Item value="delete" color="fg.error" onClick={() => openDeleteDialog(own)}>
            <Trash2 size={16} aria-hidden /> {t('common.delete')}
          </Menu.Item>
        )}
      </Menu.Content>
    </AnchoredMenu>
  );
}

async function summarise(threadId: number): Promise<void> {
  notify({ title: t('summary.writing'), kind: 'info' });
  try {
    await writeSummary(threadId);
    notify({ title: t('summary.written') });
  } catch (error) {
    showFailure('summary.failed', error);
  }
}
