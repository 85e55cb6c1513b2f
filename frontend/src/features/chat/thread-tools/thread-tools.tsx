import { Flex, Heading, IconButton, type IconButtonProps } from '@chakra-ui/react';
import { NARROW } from '../../../app/browser/media-queries';
import { useCanShare } from '../../../app/queries/use-can-share';
import { useMediaQuery } from '../../../components/hooks/use-media-query';
import { usePageTitle } from '../../../components/layout/use-page-title';
import { UntitledHeading } from '../shared/untitled-heading';
import { useThread } from '../shared/use-thread';
import { useMessageTargetOf } from './use-message-target';
import { Share2, TextSearch, Download, Ellipsis } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { openShareDialog } from '../../../app/state/dialogs';
import { useEffect, useState } from 'react';
import { onCommand } from '../../../app/state/commands';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';

/** Button that opens the dialog for a share link of the thread. */
const ThreadShare = ({ threadId }: { threadId: number }) => (
  <OpenButton label={t('shareDialog.title')} aria-haspopup="dialog" onClick={() => openShareDialog(threadId)}>
    <Share2 size={16} />
  </OpenButton>
);

/** The title of a conversation and the tools of all of it: search, share and export. */
export default function ThreadTools({ threadId }: { threadId: number }) {
  const title = useThread(threadId)?.title ?? null;
  usePageTitle(title);
  useMessageTargetOf(threadId);
  const isNarrow = useMediaQuery(NARROW);
  const canShare = useCanShare();
  return (
    <>
      {title === null ? (
        <UntitledHeading />
      ) : (
        <Heading
          as="h1"
          dir="auto"
          flex="1"
          minW="0"
          truncate
          textAlign="center"
          textStyle="sm"
          fontWeight="medium"
          color="fg.muted"
          title={title}
        >
          {title}
        </Heading>
      )}
      <Flex flexShrink={0}>
        <ThreadFind threadId={threadId} />
        {canShare && !isNarrow && <ThreadShare threadId={threadId} />}
        <ThreadExport threadId={threadId} canShare={canShare && isNarrow} />
      </Flex>
    </>
  );
}

/** Button of a conversation's header that opens a dialog or a menu. */
function OpenButton({ label, ...button }: { label: string } & IconButtonProps) {
  return <IconButton variant="ghost" size="sm" color="fg.muted" aria-label={label} title={label} {...button} />;
}

const FindDialog = lazyDialog(() => import('./find-dialog'));

/** Button that opens the search in the conversation. The browser's search covers only the mounted rows of a long one. */
function ThreadFind({ threadId }: { threadId: number }) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => onCommand('find', () => setOpen(true)), []);
  return (
    <>
      <OpenButton label={t('shortcuts.find')} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <TextSearch size={16} />
      </OpenButton>
      {isOpen && <FindDialog threadId={threadId} onClose={() => setOpen(false)} />}
    </>
  );
}

const ExportMenu = lazyDialog(() => import('./export-menu'));

interface ThreadExportProps {
  threadId: number;
  /** The menu also shares the thread, on screens without room for a button of its own. */
  canShare: boolean;
}

function ThreadExport({ threadId, canShare }: ThreadExportProps) {
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const label = canShare ? t('export.orShare') : t('export.label');
  return (
    <>
      <OpenButton
        label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        {canShare ? <Ellipsis size={16} /> : <Download size={16} />}
      </OpenButton>
      {anchor && <ExportMenu threadId={threadId} canShare={canShare} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  );
}
