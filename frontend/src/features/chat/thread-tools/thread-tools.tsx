import { Box, Button, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis, Share2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ActionButton } from '../../../components/buttons/action-button';
import { t } from '../../../app/i18n/translate';
import { useCanShare } from '../../../app/queries/use-can-share';
import { currentUserQuery } from '../../../app/queries/user.query';
import { onCommand } from '../../../app/state/commands';
import { openShareDialog } from '../../../app/state/dialogs';
import { useMediaQuery } from '../../../components/hooks/use-media-query';
import { usePageTitle } from '../../../components/layout/use-page-title';
import { lazyDialog } from '../../../components/lazy/lazy-dialog';
import { UntitledHeading } from '../shared/untitled-heading';
import { useThread } from '../shared/use-thread';
import { TemporaryMark } from './temporary-note';
import { ThreadTitle } from './thread-title';
import { useMessageTargetOf } from './use-message-target';

const ThreadMenu = lazyDialog(() => import('./thread-menu'));
const FindDialog = lazyDialog(() => import('./find-dialog'));

/** Too narrow for the button beside model and title: the menu has it. */
const WITHOUT_SHARE = '(max-width: 23.9975rem)';

/** The title of a conversation and the tools of all of it: share, and a menu with search, export and print. */
export default function ThreadTools({ threadId }: { threadId: number }) {
  const thread = useThread(threadId);
  const title = thread?.title ?? null;
  const isTemporary = thread?.temporary ?? false;
  usePageTitle(title);
  useMessageTargetOf(threadId);
  const { data: user } = useQuery(currentUserQuery);
  const isNarrow = useMediaQuery(WITHOUT_SHARE);
  const canShare = useCanShare() && !isTemporary;
  /** The button while its menu is open, else null. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const [isFinding, setFinding] = useState(false);
  // The browser's search covers only the mounted rows of a long conversation.
  useEffect(() => onCommand('find', () => setFinding(true)), []);
  return (
    <>
      {title === null ? <UntitledHeading /> : <ThreadTitle key={threadId} threadId={threadId} title={title} />}
      <Flex flexShrink={0} gap="1">
        {isTemporary && <TemporaryMark />}
        {canShare && !isNarrow && (
          <Button
            variant="ghost"
            size="sm"
            px="2.5"
            gap="1.5"
            color="fg.muted"
            aria-label={t('shareDialog.title')}
            aria-haspopup="dialog"
            onClick={() => openShareDialog(threadId)}
          >
            <Share2 size={16} aria-hidden />
            {/* Phones have the room for the title alone. */}
            <Box as="span" hideBelow="sm">
              {t('shareDialog.menu')}
            </Box>
          </Button>
        )}
        <ActionButton
          label={t('export.label')}
          size="sm"
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
        >
          <Ellipsis size={16} />
        </ActionButton>
      </Flex>
      {anchor && (
        <ThreadMenu
          threadId={threadId}
          canShare={canShare && isNarrow}
          canExport={!isTemporary}
          own={user && thread}
          anchor={anchor}
          onFind={() => setFinding(true)}
          onClose={() => setAnchor(null)}
        />
      )}
      {isFinding && <FindDialog threadId={threadId} onClose={() => setFinding(false)} />}
    </>
  );
}
