import { IconButton } from '@chakra-ui/react';
import { Download, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';

const ExportMenu = lazyDialog(() => import('./export-menu'));

interface ThreadExportProps {
  threadId: number;
  /** The menu also shares the thread, on screens without room for a button of its own. */
  canShare: boolean;
}

export function ThreadExport({ threadId, canShare }: ThreadExportProps) {
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const label = canShare ? t('export.orShare') : t('export.label');
  return (
    <>
      <IconButton
        variant="ghost"
        size="sm"
        color="fg.muted"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        {canShare ? <Ellipsis size={16} /> : <Download size={16} />}
      </IconButton>
      {anchor && <ExportMenu threadId={threadId} canShare={canShare} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}
