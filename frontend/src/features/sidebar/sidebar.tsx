import { Box, Button, Flex, IconButton } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mayUsePremium, type User } from '@tanya/contract';
import { House, ImagePlus, PanelLeftClose, Search, Sparkles, SquarePen } from 'lucide-react';
import { Suspense } from 'react';
import { t } from '../../app/i18n/translate';
import { settingText } from '../../app/language/setting-text';
import { openDialog } from '../../app/state/dialogs';
import { slideOut } from '../../app/state/sidebar';
import { currentUserQuery } from '../../app/queries/user.query';
import { settingsQuery } from '../../app/queries/settings.query';
import { Logo } from '../../components/layout/logo';
import { UpgradeButton } from '../../components/buttons/upgrade-button';
import { lazyWithPreload } from '../../components/lazy/lazy-with-preload';
import { lazyWhenIdle } from '../../components/lazy/lazy-when-idle';
import { ColorModeButton } from '../../components/buttons/color-mode-button';
import { NavButton, NavIcon, NavLink, usePreloadedRoute } from './nav-item';
import { openPalette } from './palette/open-palette';
import { MEMBER_PAGES } from './member-pages';
import { PageSection } from './page-section';
import { RecentChats } from './threads/recent-chats';
import { Section } from './section';
import { SidebarFooter } from './sidebar-footer';
import { pressSidebarButton } from './toggle-sidebar';
import { useNewChat } from './use-new-chat';

const AdminSection = lazyWithPreload(() => import('./admin-section'), 'admin');
const AppLinks = lazyWhenIdle(() => import('./app-links'));

/**
 * The navigation: a column on wide screens, a drawer on narrow ones. New chat and the account stay in reach; the rows
 * between them are one scroller. The sections below it scroll only where they have no room. In a window too low for
 * that, such as a phone on its side, the whole scrolls below the account.
 */
export function Sidebar() {
  const { data: user, isPending } = useQuery(currentUserQuery);
  const newChat = useNewChat();
  usePreloadedRoute('/');
  const open = (dialog: 'login' | 'register' | 'image') => {
    slideOut();
    openDialog(dialog);
  };

  return (
    <Flex direction="column" height="100%" bg="bg.subtle" overflowY="auto" scrollPaddingBottom="14">
      <Brand />
      <Box px="2" pb="1" flexShrink={0}>
        <NavButton icon={SquarePen} onClick={newChat}>
          {t('sidebar.newChat')}
        </NavButton>
      </Box>
      {/* The padding of a scroll is for the bar of a selection, which would hide a row with the focus. */}
      <Flex
        direction="column"
        flex="1 1 0"
        minH="max(30vh, 16rem)"
        overflowY="auto"
        scrollPaddingTop="11"
        px="2"
        data-scroller
      >
        <NavButton icon={Search} label={t('navigation.search')} keys={SEARCH_KEYS} onClick={openPalette}>
          {t('navigation.find')}
        </NavButton>
        <NavLink to="/" icon={House} onClick={slideOut}>
          {t('sidebar.home')}
        </NavLink>
        <NavButton icon={ImagePlus} onClick={() => open('image')}>
          {t('sidebar.createImage')}
        </NavButton>
        {!user && !isPending && (
          <Flex gap="2" my="2">
            <Button flex="1" size="sm" variant="outline" bg="bg.panel" onClick={() => open('login')}>
              {t('sidebar.login')}
            </Button>
            <Button flex="1" size="sm" variant="outline" bg="bg.panel" onClick={() => open('register')}>
              {t('sidebar.register')}
            </Button>
          </Flex>
        )}
        <RecentChats onNavigate={slideOut} />
      </Flex>
      <Cut />
      <Box flex="0 1 auto" minH="10" overflowY="auto" px="2" css={{ '@media (max-height: 30rem)': { flexShrink: 0 } }}>
        <Sections user={user} />
        {!isPending && !mayUsePremium(user) && (
          <UpgradeButton
            variant="ghost"
            size="xs"
            width="100%"
            justifyContent="flex-start"
            gap="2.5"
            px="2.5"
            textStyle="sm"
            fontWeight="normal"
          >
            <NavIcon icon={Sparkles} />
            {t('chat.upgrade')}
          </UpgradeButton>
        )}
      </Box>
      <SidebarFooter />
    </Flex>
  );
}

const SEARCH_KEYS = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** Fades what the end of the scroller cuts, a day's heading above its first row included. */
function Cut() {
  return (
    <Box position="relative" flexShrink={0} aria-hidden>
      <Box
        position="absolute"
        bottom="0"
        insetX="0"
        height="8"
        pointerEvents="none"
        bgImage="linear-gradient(to top, var(--tanya-colors-bg-subtle), transparent)"
      />
    </Box>
  );
}

function Sections({ user }: { user: User | null | undefined }) {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <>
      {user?.isAdmin && (
        <Suspense fallback={<Box minH="8" />}>
          <AdminSection />
        </Suspense>
      )}
      {user && <PageSection name="developer" title={t('sidebar.developerTools')} pages={MEMBER_PAGES} />}
      {settings?.showOtherApps !== false && (
        <Section name="apps" title={t('sidebar.otherApps')}>
          {/* The height of the links, which appear later. */}
          <Box minH="4.25rem">
            <AppLinks />
          </Box>
        </Section>
      )}
    </>
  );
}

function Brand() {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Flex align="center" gap="2" ps="4" pe="2" height="11" flexShrink={0}>
      <Flex asChild align="center" gap="2.5" flex="1" minW="0" fontWeight="semibold" textStyle="md" borderRadius="l2">
        <Link to="/" onClick={slideOut}>
          <Logo />
          <Box as="span" truncate>
            {settingText('siteTitle', settings)}
          </Box>
        </Link>
      </Flex>
      <ColorModeButton />
      <IconButton
        hideBelow="lg"
        variant="ghost"
        size="xs"
        aria-label={t('navigation.hideSidebar')}
        data-sidebar-button
        onClick={pressSidebarButton}
      >
        <PanelLeftClose />
      </IconButton>
    </Flex>
  );
}
