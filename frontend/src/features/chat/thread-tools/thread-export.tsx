import { IconButton } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';

const ExportMenu = lazyDialog(() => import('./export-menu'));

/** Takes the conversation out as a file. */
export function ThreadExport({ threadId }: { threadId: number }) {
  /** The button while the menu at it is open. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  return (
    <>
      <IconButton
        variant="ghost"
        size="sm"
        color="fg.muted"
        aria-label="Export conversation"
        title="Export conversation"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        <Download size={16} />
      </IconButton>
      {anchor && <ExportMenu threadId={threadId} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}
