import { IconButton } from '@chakra-ui/react';
import { TextSearch } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { onCommand } from '../../../app/state/commands';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';

const FindDialog = lazyDialog(() => import('./find-dialog'));

/** Button that opens the search in the conversation. The browser's search covers only the mounted rows of a long one. */
export function ThreadFind({ threadId }: { threadId: number }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onCommand('find', () => setOpen(true)), []);
  return (
    <>
      <IconButton
        variant="ghost"
        size="sm"
        color="fg.muted"
        aria-label={t('shortcuts.find')}
        title={t('shortcuts.find')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <TextSearch size={16} />
      </IconButton>
      {isOpen && <FindDialog threadId={threadId} onClose={() => setOpen(false)} />}
    </>
  );
}
