import { Box, Flex } from '@chakra-ui/react';
import { Link } from '@tanstack/react-router';
import { Folder } from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { PROJECT_ROUTE, projectParams } from '../../../app/queries/projects.query';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { ThreadList } from './thread-list';

/** The user's projects and threads. A chunk of its own, because guests have neither. */
export default function MemberChats({ onNavigate }: { onNavigate: () => void }) {
  const focusRef = useFocusRecovery();
  return (
    <Box ref={focusRef} tabIndex={-1} outline="none">
      <Flex
        asChild
        align="center"
        gap="1"
        px="1.5"
        minH="6"
        // In the row of the heading, beside the archive: the chats have the height.
        position="absolute"
        top="0"
        insetEnd="8"
        textStyle="xs"
        color="fg.muted"
        borderRadius="l2"
        focusVisibleRing="inside"
        _hover={{ bg: 'bg.muted' }}
      >
        <Link to={PROJECT_ROUTE} params={projectParams()} onClick={onNavigate}>
          <Folder size={14} aria-hidden />
          {t('projects.title')}
        </Link>
      </Flex>
      <ThreadList onNavigate={onNavigate} />
    </Box>
  );
}
