import {
  ChartColumn,
  CalendarClock,
  CircleX,
  Cpu,
  KeyRound,
  type LucideIcon,
  Plug,
  ScrollText,
  Settings,
  UserCog,
  Users,
  Wrench,
} from 'lucide-react';
import type { LinkProps } from '@tanstack/react-router';
import type { PlainTextKey } from '../../texts/catalogue';

/** A page beside the chat, as the sidebar and the palette list it. */
export interface PageLink {
  to: LinkProps['to'];
  label: PlainTextKey;
  icon: LucideIcon;
}

export const ADMIN_PAGES: readonly PageLink[] = [
  { to: '/admin', label: 'sidebar.llmModels', icon: Cpu },
  { to: '/admin/connections', label: 'sidebar.connections', icon: Plug },
  { to: '/admin/users', label: 'sidebar.manageUsers', icon: UserCog },
  { to: '/admin/groups', label: 'sidebar.groups', icon: Users },
  { to: '/admin/keys', label: 'sidebar.apiKeys', icon: KeyRound },
  { to: '/admin/tools', label: 'sidebar.toolServers', icon: Wrench },
  { to: '/admin/usage', label: 'sidebar.usage', icon: ChartColumn },
  { to: '/admin/failures', label: 'sidebar.failures', icon: CircleX },
  { to: '/admin/audit', label: 'sidebar.auditLog', icon: ScrollText },
  { to: '/admin/retention', label: 'sidebar.retention', icon: CalendarClock },
  { to: '/admin/settings', label: 'sidebar.generalSettings', icon: Settings },
];
