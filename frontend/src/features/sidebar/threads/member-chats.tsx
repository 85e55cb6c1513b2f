import { Box } from '@chakra-ui/react';
import { useFocusRecovery } from '../../../components/hooks/use-focus-recovery';
import { ThreadList } from './thread-list';

/** The user's threads. A chunk of its own, because guests have no thread list. */
export default function MemberChats({ onNavigate }: { onNavigate: () => void }) {
  const focusRef = useFocusRecovery();
  return (
    <Box ref={focusRef} tabIndex={-1} outline="none">
      <ThreadList onNavigate={onNavigate} />
    </Box>
  );
}
