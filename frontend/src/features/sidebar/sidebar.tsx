import { Box, Button, Flex, IconButton, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mayUsePremium } from '@tanya/contract';
import { House, ImagePlus, PanelLeftClose, Plus, Search } from 'lucide-react';
import { t } from '../../app/i18n/translate';
import { settingText } from '../../app/language/setting-text';
import { openDialog } from '../../app/state/dialogs';
import { slideOut } from '../../app/state/sidebar';
import { currentUserQuery } from '../../app/queries/user.query';
import { settingsQuery } from '../../app/queries/settings.query';
import { Logo } from '../../components/layout/logo';
import { UpgradeButton } from '../../components/buttons/upgrade-button';
import { ColorModeButton } from './color-mode-button';
import { NavButton, NavLink } from './nav-item';
import { OtherApps } from './other-apps';
import { openPalette } from './palette/open-palette';
import { ADMIN_PAGES, MEMBER_PAGES } from './page-links';
import { RecentChats } from './threads/recent-chats';
import { Section } from './section';
import { SidebarFooter } from './sidebar-footer';
import { pressSidebarButton } from './toggle-sidebar';
import { useNewChat } from './use-new-chat';

/** The navigation: a column on wide screens, a drawer on narrow ones. */
export function Sidebar() {
  const { data: user, isPending } = useQuery(currentUserQuery);
  const newChat = useNewChat();
  const open = (dialog: 'login' | 'register' | 'image') => {
    slideOut();
    openDialog(dialog);
  };

  return (
    <Flex direction="column" height="100%" bg="bg.subtle">
      <Brand />
      <Flex direction="column" flex="1" minH="0" overflowY="auto" gap="3" px="3" pb="3">
        {!user && !isPending && (
          <Flex gap="2">
            <Button flex="1" size="sm" variant="outline" bg="bg.panel" onClick={() => open('login')}>
              {t('sidebar.login')}
            </Button>
            <Button flex="1" size="sm" variant="outline" bg="bg.panel" onClick={() => open('register')}>
              {t('sidebar.register')}
            </Button>
          </Flex>
        )}
        <Stack gap="1">
          <Button size="sm" colorPalette="jade" onClick={newChat} mb="1">
            <Plus aria-hidden /> {t('sidebar.newChat')}
          </Button>
          <NavLink to="/" icon={House} onClick={slideOut}>
            {t('sidebar.home')}
          </NavLink>
          <NavButton icon={Search} onClick={openPalette}>
            {t('navigation.search')}
          </NavButton>
          <NavButton icon={ImagePlus} onClick={() => open('image')}>
            {t('sidebar.createImage')}
          </NavButton>
        </Stack>
        <RecentChats onNavigate={slideOut} />
        {user?.isAdmin && (
          <Section title={t('sidebar.adminMenu')}>
            <PageLinks pages={ADMIN_PAGES} />
          </Section>
        )}
        {user && (
          <Section title={t('sidebar.developerTools')}>
            <PageLinks pages={MEMBER_PAGES} />
          </Section>
        )}
        <OtherApps />
      </Flex>
      {!isPending && !mayUsePremium(user) && (
        <UpgradeButton size="sm" variant="outline" bg="bg.panel" flexShrink={0} mx="3" my="2" />
      )}
      <SidebarFooter />
    </Flex>
  );
}

function Brand() {
  const { data: settings } = useQuery(settingsQuery);
  return (
    <Flex align="center" gap="2" px="4" height="14" flexShrink={0}>
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
        hideBelow="md"
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

const PageLinks = ({ pages }: { pages: typeof ADMIN_PAGES }) =>
  pages.map(({ to, label, icon }) => (
    <NavLink key={to} to={to} icon={icon} onClick={slideOut}>
      {t(label)}
    </NavLink>
  ));
