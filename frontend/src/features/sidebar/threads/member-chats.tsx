import { Box, Flex } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import { Archive, Folder } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { openDialog } from '../../../app/state/dialogs';
import { PROJECT_ROUTE, projectParams } from '../../../app/queries/projects.query';
import { ActionButton } from '../../../components/buttons/action-button';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { ThreadList } from './thread-list';

/** The user's projects and threads. A chunk of its own, because guests have neither. */
export default function MemberChats({ onNavigate }: { onNavigate: () => void }) {
  const focusRef = useFocusRecovery();
  return (
    <Box ref={focusRef} tabIndex={-1} outline="none">
      {/* In the row of the heading: the chats have the height. */}
      <Flex position="absolute" top="0" insetEnd="0.5" align="center" gap="0.5" color="fg.muted">
        <Flex
          asChild
          align="center"
          gap="1"
          px="1.5"
          minH="6"
          textStyle="xs"
          borderRadius="l2"
          focusVisibleRing="inside"
          _hover={{ bg: 'bg.muted' }}
        >
          <Link to={PROJECT_ROUTE} params={projectParams()} onClick={onNavigate}>
            <Folder size={14} aria-hidden />
            {t('projects.title')}
          </Link>
        </Flex>
        <ActionButton label={t('navigation.archived')} size="2xs" onClick={() => openDialog('archived')}>
          <Archive size={14} />
        </ActionButton>
      </Flex>
      <ThreadList onNavigate={onNavigate} />
    </Box>
  );
}
