import { TextSearch } from 'lucide-react';
import { useEffect, useState } from 'react';
import { t } from '../../../app/i18n/translate';
import { onCommand } from '../../../app/state/commands';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import { DialogButton } from './dialog-button';

const FindDialog = lazyDialog(() => import('./find-dialog'));

/** Button that opens the search in the conversation. The browser's search covers only the mounted rows of a long one. */
export function ThreadFind({ threadId }: { threadId: number }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onCommand('find', () => setOpen(true)), []);
  return (
    <>
      <DialogButton label={t('shortcuts.find')} icon={<TextSearch size={16} />} onOpen={() => setOpen(true)} />
      {isOpen && <FindDialog threadId={threadId} onClose={() => setOpen(false)} />}
    </>
  );
}
