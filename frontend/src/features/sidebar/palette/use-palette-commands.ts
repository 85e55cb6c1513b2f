import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { User } from '@tanya/contract';
import {
  Archive,
  ArchiveRestore,
  CircleUser,
  ImagePlus,
  Keyboard,
  Languages,
  LogIn,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  PanelLeft,
  PenLine,
  Pin,
  PinOff,
  Plus,
  Printer,
  Share2,
  Sun,
  TextSearch,
  UserPlus,
} from 'lucide-react';
import { t } from '../../../app/i18n/translate';
import { threadQuery } from '../../../app/queries/threads.query';
import { useCanShare } from '../../../app/queries/use-can-share';
import { currentUserQuery } from '../../../app/queries/user.query';
import { runCommand, SHORTCUTS } from '../../../app/state/commands';
import { type DialogName, openDialog, openShareDialog } from '../../../app/state/dialogs';
import { slideOut } from '../../../app/state/sidebar';
import { useColorMode } from '../../../app/theme/color-mode';
import { loadLate } from '../../../components/lazy/load-late';
import { MEMBER_PAGES } from '../member-pages';
import type { PageLink } from '../page-section';
import { useBatch } from '../threads/thread-batch';

export interface PaletteCommand {
  id: string;
  name: string;
  /** Further words that find the command. */
  also?: string;
  icon: LucideIcon;
  /** Keys of its shortcut as displayed. */
  keys?: string[];
  run: () => void;
}

const THEMES = [
  ['system', Monitor],
  ['light', Sun],
  ['dark', Moon],
] as const;

const keysOf = (name: string): string[] | undefined => SHORTCUTS.find(({ command }) => command === name)?.keys;

export function usePaletteCommands(): PaletteCommand[] {
  const { data: user = null } = useQuery(currentUserQuery);
  return [...useChatCommands(user), ...useThreadCommands(user), ...useAppCommands(), ...usePageCommands(user)];
}

function useChatCommands(user: User | null): PaletteCommand[] {
  const all: PaletteCommand[] = [
    { id: 'new-chat', name: t('sidebar.newChat'), icon: Plus, run: () => runCommand('new-chat') },
    {
      id: 'focus-composer',
      name: t('shortcuts.focus-composer'),
      icon: PenLine,
      run: () => runCommand('focus-composer'),
    },
    { id: 'image', name: t('sidebar.createImage'), icon: ImagePlus, run: () => openDialog('image') },
  ];
  if (user)
    all.push({ id: 'archived', name: t('navigation.archived'), icon: Archive, run: () => openDialog('archived') });
  return all.map((each) => ({ ...each, keys: keysOf(each.id) }));
}

function useThreadCommands(user: User | null): PaletteCommand[] {
  const threadId = useParams({ strict: false }).id;
  const isOpen = user !== null && threadId !== undefined;
  const { data: thread } = useQuery({ ...threadQuery(threadId ?? 0), enabled: isOpen });
  const canShare = useCanShare();
  const batch = useBatch();
  if (!isOpen) return [];
  const share: PaletteCommand = {
    id: 'share',
    name: t('shareDialog.title'),
    icon: Share2,
    run: () => openShareDialog(threadId),
  };
  const act = (action: 'pin' | 'unpin' | 'archive' | 'unarchive', icon: LucideIcon): PaletteCommand => ({
    id: action,
    name: t(`palette.${action}`),
    icon,
    run: () => batch.run(action, [threadId]),
  });
  return [
    {
      id: 'find',
      name: t('shortcuts.find'),
      icon: TextSearch,
      keys: keysOf('find'),
      run: () => runCommand('find'),
    },
    // A temporary chat is in no list, and cannot be shared.
    ...(thread?.temporary
      ? []
      : [
          thread?.isPinned ? act('unpin', PinOff) : act('pin', Pin),
          thread?.isArchived ? act('unarchive', ArchiveRestore) : act('archive', Archive),
          ...(canShare ? [share] : []),
        ]),
    { id: 'print', name: t('export.print'), icon: Printer, run: () => runCommand('print') },
  ];
}

function useAppCommands(): PaletteCommand[] {
  const { preference, setPreference } = useColorMode();
  const themes = THEMES.filter(([theme]) => theme !== preference).map(([theme, icon]): PaletteCommand => {
    const name = t('palette.theme', { name: t(`theme.${theme}`) });
    return { id: `theme-${theme}`, name, icon, run: () => setPreference(theme) };
  });
  return [
    {
      id: 'toggle-sidebar',
      name: t('shortcuts.toggle-sidebar'),
      icon: PanelLeft,
      keys: keysOf('toggle-sidebar'),
      run: () => runCommand('toggle-sidebar'),
    },
    ...themes,
    {
      id: 'shortcuts',
      name: t('shortcuts.title'),
      icon: Keyboard,
      keys: keysOf('shortcuts'),
      run: () => runCommand('shortcuts'),
    },
  ];
}

/** With the texts that name them. */
const adminLinksQuery = queryOptions({
  queryKey: ['admin-links'],
  queryFn: async () => (await loadLate(() => import('../admin-links'), 'admin')).ADMIN_LINKS,
});

function usePageCommands(user: User | null): PaletteCommand[] {
  const navigate = useNavigate();
  const { data: adminLinks = [] } = useQuery({ ...adminLinksQuery, enabled: user?.isAdmin === true });
  const dialog = (id: DialogName, name: string, icon: LucideIcon, also?: string): PaletteCommand => ({
    id,
    name,
    also,
    icon,
    run: () => openDialog(id),
  });
  if (!user)
    return [
      dialog('language', t('navigation.language'), Languages),
      dialog('login', t('sidebar.login'), LogIn),
      dialog('register', t('sidebar.register'), UserPlus),
    ];
  const pages = (links: readonly PageLink[]): PaletteCommand[] =>
    links.map(({ to, params, label, icon }) => ({
      id: label,
      name: t(label),
      icon,
      run: () => {
        slideOut();
        void navigate({ to, params });
      },
    }));
  return [
    {
      id: 'account',
      name: t('palette.account'),
      also: `${t('navigation.language')} ${t('account.theme')}`,
      icon: CircleUser,
      run: () => {
        slideOut();
        void navigate({ to: '/account/{-$tab}', params: { tab: undefined } });
      },
    },
    ...(user.isAdmin ? pages(adminLinks) : []),
    ...pages(MEMBER_PAGES),
    dialog('logout', t('navigation.logout'), LogOut),
  ];
}
