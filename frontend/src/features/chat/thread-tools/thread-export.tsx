import { IconButton } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';

const ExportMenu = lazyDialog(() => import('./export-menu'));

/** Button that opens the export menu. */
export function ThreadExport({ threadId }: { threadId: number }) {
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  return (
    <>
      <IconButton
        variant="ghost"
        size="sm"
        color="fg.muted"
        aria-label={t('export.label')}
        title={t('export.label')}
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
