import { Box, Center, Flex, IconButton } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS, type User } from '@tanya/contract';
import { Keyboard, LogOut } from 'lucide-react';
import { openDialog } from '../../app/state/dialogs';
import { currentUserQuery } from '../../app/queries/user.query';
import { initials } from './initials';

interface SidebarFooterProps {
  onLogout: () => void;
  loggingOut: boolean;
}

export function SidebarFooter({ onLogout, loggingOut }: SidebarFooterProps) {
  const { data: user } = useQuery(currentUserQuery);
  return (
    <Flex as="footer" align="center" gap="1" p="2" borderTopWidth="1px">
      {user ? (
        <Flex asChild flex="1" minW="0" align="center" gap="2.5" p="1.5" borderRadius="l2" textAlign="start">
          <Box asChild focusVisibleRing="inside" _hover={{ bg: 'bg.muted' }}>
            <button type="button" aria-label={`Account of ${user.username}`} onClick={() => openDialog('account')}>
              <Center
                aria-hidden
                boxSize="9"
                flexShrink={0}
                borderRadius="full"
                bg="jade.muted"
                color="jade.fg"
                fontWeight="medium"
              >
                {initials(user.username)}
              </Center>
              <Box minW="0">
                <Box truncate fontWeight="medium">
                  {user.username}
                </Box>
                <Box textStyle="xs" color="fg.muted">
                  {planOf(user)}
                </Box>
              </Box>
            </button>
          </Box>
        </Flex>
      ) : (
        <Box flex="1" />
      )}
      <IconButton
        hideBelow="md"
        variant="ghost"
        size="sm"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        onClick={() => openDialog('shortcuts')}
      >
        <Keyboard />
      </IconButton>
      {user && (
        <IconButton
          variant="ghost"
          size="sm"
          aria-label="Logout"
          title="Logout"
          disabled={loggingOut}
          onClick={onLogout}
        >
          <LogOut />
        </IconButton>
      )}
    </Flex>
  );
}

/** The label below the username. An admin without premium is not a free member. */
function planOf({ isPremium, isAdmin }: User): string {
  if (isPremium) return TEXTS.sidebar.premium;
  return isAdmin ? 'Administrator' : TEXTS.sidebar.free;
}
