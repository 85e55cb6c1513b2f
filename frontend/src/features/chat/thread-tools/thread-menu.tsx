import { Menu } from '@chakra-ui/react';
import { Download, Folder, ListCollapse, Printer, Share2, TextSearch } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { writeSummary } from '../../../app/queries/summary.query';
import { runCommand } from '../../../app/state/commands';
import { openProjectDialog, openShareDialog } from '../../../app/state/dialogs';
import { AnchoredMenu } from '../../../components/buttons/anchored-menu';
import { fail } from '../../../components/feedback/fail';
import { notify } from '../../../components/feedback/notify';

const FORMATS = [
  ['md', 'Markdown'],
  ['json', 'JSON'],
] as const;

interface ThreadMenuProps {
  threadId: number;
  canShare: boolean;
  canExport: boolean;
  /** Guests have no projects. */
  canMove: boolean;
  /** The button that opened the menu. */
  anchor: HTMLButtonElement;
  onFind: () => void;
  onClose: () => void;
}

/** The menu of an open conversation. */
export default function ThreadMenu(props: ThreadMenuProps) {
  const { threadId, canShare, canExport, canMove, anchor, onFind, onClose } = props;
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
        {canMove && (
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
    fail('summary.failed')(error);
  }
}
