import { Box, Button, Flex, IconButton } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Menu, PanelLeftOpen, Search, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { WITHOUT_SIDEBAR } from '../../app/browser/media-queries';
import { t } from '../../app/i18n/translate';
import { settingText } from '../../app/language/setting-text';
import { settingsQuery } from '../../app/queries/settings.query';
import { slideIn, slideOut, useSidebar } from '../../app/state/sidebar';
import { Logo } from '../../components/layout/logo';
import { lazyDialog } from '../../components/lazy/lazy-dialog';
import { focusMain } from '../../app/browser/focus-main';
import { useMediaQuery } from '../../components/hooks/use-media-query';
import { ChatsMark, usePreloadedChats } from './threads/recent-chats';
import { Sidebar } from './sidebar';
import { MOBILE_SIDEBAR_ID, pressSidebarButton } from './toggle-sidebar';
import { openPalette } from './palette/open-palette';
import { useNewChat } from './use-new-chat';
import { useShortcuts } from './use-shortcuts';

const MobileSidebar = lazyDialog(() => import('./mobile-sidebar'));

/** The frame around all pages: navigation beside the page, or above it on narrow screens. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { slidIn, hidden } = useSidebar();
  // Only the current layout is rendered: hiding the other would double the elements on a phone.
  const isNarrow = useMediaQuery(WITHOUT_SIDEBAR);
  usePreloadedChats();
  useShortcuts();
  return (
    <Flex height="100%" direction={isNarrow ? 'column' : 'row'}>
      <SkipLink />
      {isNarrow ? (
        <MobileHeader />
      ) : hidden ? (
        <HiddenSidebar />
      ) : (
        <Box as="nav" aria-label={t('navigation.main')} width="18rem" flexShrink={0} borderEndWidth="1px">
          <ChatsMark isShown={false} />
          <Sidebar />
        </Box>
      )}
      {slidIn && <MobileSidebar onClose={slideOut} />}
      <Box flex="1" minW="0" minH="0">
        {children}
      </Box>
    </Flex>
  );
}

/** The first focusable element: moves the focus past the navigation to the main content. */
function SkipLink() {
  return (
    <Button
      size="sm"
      position="absolute"
      zIndex="skipNav"
      top="2"
      insetStart="2"
      transform="translateY(-200%)"
      _focusVisible={{ transform: 'none' }}
      onClick={focusMain}
    >
      {t('page.skip')}
    </Button>
  );
}

/** The actions that stay in reach while the sidebar is hidden. */
function HiddenSidebar() {
  const newChat = useNewChat();
  return (
    <Flex as="nav" aria-label={t('navigation.main')} direction="column" gap="1" p="2" flexShrink={0}>
      <Box position="relative">
        <IconButton
          size="sm"
          variant="ghost"
          aria-label={t('navigation.showSidebar')}
          title={t('navigation.showSidebar')}
          data-sidebar-button
          onClick={pressSidebarButton}
        >
          <PanelLeftOpen />
        </IconButton>
        <ChatsMark />
      </Box>
      <IconButton
        size="sm"
        variant="ghost"
        aria-label={t('sidebar.newChat')}
        title={t('sidebar.newChat')}
        onClick={newChat}
      >
        <SquarePen />
      </IconButton>
    </Flex>
  );
}

function MobileHeader() {
  const { data: settings } = useQuery(settingsQuery);
  const { slidIn } = useSidebar();
  const newChat = useNewChat();
  return (
    <Flex as="header" align="center" gap="1" px="1" height="12" flexShrink={0} borderBottomWidth="1px">
      <Box position="relative">
        <IconButton
          variant="ghost"
          aria-label={t('navigation.openMenu')}
          aria-expanded={slidIn}
          aria-controls={slidIn ? MOBILE_SIDEBAR_ID : undefined}
          onClick={slideIn}
        >
          <Menu />
        </IconButton>
        <ChatsMark />
      </Box>
      <Flex asChild flex="1" minW="0" align="center" justify="center" gap="2" fontWeight="semibold">
        <Link to="/">
          <Logo size="6" />
          <Box as="span" truncate>
            {settingText('siteTitle', settings)}
          </Box>
        </Link>
      </Flex>
      <IconButton variant="ghost" aria-label={t('navigation.search')} onClick={openPalette}>
        <Search />
      </IconButton>
      <IconButton variant="ghost" aria-label={t('sidebar.newChat')} onClick={newChat}>
        <SquarePen />
      </IconButton>
    </Flex>
  );
}
