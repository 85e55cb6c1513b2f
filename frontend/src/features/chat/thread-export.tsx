import { IconButton, Menu, Portal } from '@chakra-ui/react';
import { Download } from 'lucide-react';

const FORMATS = [
  ['md', 'Markdown'],
  ['json', 'JSON'],
] as const;

/** Takes the conversation out as a file. */
export function ThreadExport({ threadId }: { threadId: number }) {
  return (
    <Menu.Root positioning={{ placement: 'bottom-end' }} lazyMount unmountOnExit>
      <Menu.Trigger asChild>
        <IconButton
          variant="ghost"
          size="sm"
          color="fg.muted"
          aria-label="Export conversation"
          title="Export conversation"
        >
          <Download size={16} />
        </IconButton>
      </Menu.Trigger>
      <Portal>
        <Menu.Positioner>
          <Menu.Content>
            {FORMATS.map(([format, name]) => (
              <Menu.Item key={format} value={format} asChild>
                <a href={`/api/chat/threads/${threadId}/export?format=${format}`} download>
                  Export as {name}
                </a>
              </Menu.Item>
            ))}
          </Menu.Content>
        </Menu.Positioner>
      </Portal>
    </Menu.Root>
  );
}
