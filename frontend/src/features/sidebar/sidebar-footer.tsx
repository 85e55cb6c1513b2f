import { Box, Center, Flex, IconButton } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TEXTS } from '@tanya/contract';
import { Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useColorMode, type ColorModePreference } from '../../app/theme/color-mode';
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
                  {user.isPremium ? TEXTS.sidebar.premium : TEXTS.sidebar.free}
                </Box>
              </Box>
            </button>
          </Box>
        </Flex>
      ) : (
        <Box flex="1" />
      )}
      <ColorModeButton />
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

const NEXT: Record<ColorModePreference, ColorModePreference> = { system: 'light', light: 'dark', dark: 'system' };
const ICONS = { system: Monitor, light: Sun, dark: Moon };

function ColorModeButton() {
  const { preference, setPreference } = useColorMode();
  const Icon = ICONS[preference];
  const label = `Theme: ${preference}. Switch to ${NEXT[preference]}`;
  return (
    <IconButton
      variant="ghost"
      size="sm"
      aria-label={label}
      title={label}
      onClick={() => setPreference(NEXT[preference])}
    >
      <Icon />
    </IconButton>
  );
}
