import { IconButton } from '@chakra-ui/react';
import { Share2 } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { openShareDialog } from '../../../app/state/dialogs';

/** Button that opens the dialog for a share link of the thread. */
export function ThreadShare({ threadId }: { threadId: number }) {
  return (
    <IconButton
      variant="ghost"
      size="sm"
      color="fg.muted"
      aria-label={t('shareDialog.title')}
      title={t('shareDialog.title')}
      aria-haspopup="dialog"
      onClick={() => openShareDialog(threadId)}
    >
      <Share2 size={16} />
    </IconButton>
  );
}
