import { Menu } from '@chakra-ui/react';
import { runCommand } from '../../../app/state/commands';
import { openShareDialog } from '../../../app/state/dialogs';
import { t } from '../../../app/i18n/translate';

const FORMATS = [
  ['md', 'Markdown'],
  ['json', 'JSON'],
] as const;

interface ExportMenuProps {
  threadId: number;
  canShare: boolean;
  /** The button that opened the menu. */
  anchor: HTMLButtonElement;
  onClose: () => void;
}

export default function ExportMenu({ threadId, canShare, anchor, onClose }: ExportMenuProps) {
  return (
    <Menu.Root
      open
      // Rendered in place instead of a portal, so that the menu is inside a landmark.
      positioning={{ placement: 'bottom-end', getAnchorElement: () => anchor, strategy: 'fixed' }}
      onInteractOutside={(event) => {
        if (anchor.contains(event.detail.originalEvent.target as Node)) event.preventDefault();
      }}
      onOpenChange={({ open }) => {
        if (open) return;
        anchor.focus();
        onClose();
      }}
    >
      <Menu.Positioner>
        <Menu.Content>
          {canShare && (
            <Menu.Item value="share" onClick={() => openShareDialog(threadId)}>
              {t('shareDialog.title')}
            </Menu.Item>
          )}
          {FORMATS.map(([format, name]) => (
            <Menu.Item key={format} value={format} asChild>
              <a href={`/api/chat/threads/${threadId}/export?format=${format}`} download>
                {t('export.as', { format: name })}
              </a>
            </Menu.Item>
          ))}
          <Menu.Item value="print" onClick={() => runCommand('print')}>
            {t('export.print')}
          </Menu.Item>
        </Menu.Content>
      </Menu.Positioner>
    </Menu.Root>
  );
}
