import { Box, Button, Center, Flex, IconButton, VisuallyHidden } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { PublicSettings, User } from '@tanya/contract';
import { Keyboard, Languages, LogOut } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { openDialog } from '../../app/state/dialogs';
import { slideOut } from '../../app/state/sidebar';
import { settingsQuery } from '../../app/queries/settings.query';
import { currentUserQuery } from '../../app/queries/user.query';
import { usePreloadedRoute } from './nav-item';

export function SidebarFooter() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: settings } = useQuery(settingsQuery);
  usePreloadedRoute('/account/{-$tab}');
  return (
    <Flex
      as="footer"
      position="sticky"
      bottom="0"
      bg="bg.subtle"
      align="center"
      gap="1"
      px="2"
      py="1"
      flexShrink={0}
      borderTopWidth="1px"
    >
      {user ? (
        <Flex asChild flex="1" minW="0" align="center" gap="2.5" px="2" py="1" borderRadius="l2" textAlign="start">
          <Box asChild focusVisibleRing="inside" _hover={{ bg: 'bg.muted' }}>
            <Link to="/account/{-$tab}" params={{ tab: undefined }} onClick={slideOut}>
              <Center
                aria-hidden
                boxSize="8"
                flexShrink={0}
                borderRadius="full"
                bg="jade.muted"
                color="jade.fg"
                fontWeight="medium"
              >
                {initials(user.username)}
              </Center>
              <Box minW="0">
                <VisuallyHidden>{t('navigation.accountOf', { name: user.username })}</VisuallyHidden>
                <Box truncate fontWeight="medium" aria-hidden>
                  {user.username}
                </Box>
                <Box textStyle="xs" color="fg.muted">
                  {planOf(user, settings?.planNames)}
                </Box>
              </Box>
            </Link>
          </Box>
        </Flex>
      ) : (
        <Box flex="1">
          <Button variant="ghost" size="sm" color="fg.muted" onClick={() => openDialog('language')}>
            <Languages aria-hidden />
            {t('navigation.language')}
          </Button>
        </Box>
      )}
      <IconButton
        hideBelow="lg"
        variant="ghost"
        size="sm"
        aria-label={t('navigation.shortcuts')}
        title={t('navigation.shortcuts')}
        onClick={() => openDialog('shortcuts')}
      >
        <Keyboard />
      </IconButton>
      {user && (
        <IconButton
          variant="ghost"
          size="sm"
          aria-label={t('navigation.logout')}
          title={t('navigation.logout')}
          onClick={() => openDialog('logout')}
        >
          <LogOut />
        </IconButton>
      )}
    </Flex>
  );
}

/** The label below the username. An admin without premium is not a free member. */
function planOf({ isPremium, isAdmin }: User, names: PublicSettings['planNames'] | undefined): string {
  const admin = isAdmin && t('sidebar.administrator');
  const plan = isPremium ? (names?.premium ?? t('sidebar.premium')) : !admin && (names?.free ?? t('sidebar.free'));
  return [admin, plan].filter(Boolean).join(' · ');
}

const ASCII = /^[ -~]*$/;

/** The first two graphemes of a name in upper case, so that emoji and accents stay whole. */
export function initials(name: string): string {
  const capitals = name.toUpperCase();
  return (ASCII.test(capitals) ? [...capitals] : graphemes(capitals)).slice(0, 2).join('');
}

function graphemes(text: string): string[] {
  // Firefox supports Intl.Segmenter since 2024.
  if (!('Segmenter' in Intl)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
