import { Share2 } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { openShareDialog } from '../../../app/state/dialogs';
import { DialogButton } from './dialog-button';

/** Button that opens the dialog for a share link of the thread. */
export const ThreadShare = ({ threadId }: { threadId: number }) => (
  <DialogButton label={t('shareDialog.title')} icon={<Share2 size={16} />} onOpen={() => openShareDialog(threadId)} />
);
