import {
  Activity,
  CalendarClock,
  ChartColumn,
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
import type { ComponentType } from 'react';
import type { PlainTextKey } from '../texts/catalogue';

interface AdminPage {
  /** The end of its address below `/admin`. */
  page: string | undefined;
  label: PlainTextKey;
  icon: LucideIcon;
  load: () => Promise<{ default: ComponentType }>;
}

/**
 * The pages of admins, in the order in which the sidebar and the palette list them: the most used first, because the
 * sidebar folds all but a few. Their labels are in `texts/…/admin.ts`.
 */
export const ADMIN_PAGES = [
  { page: undefined, label: 'sidebar.llmModels', icon: Cpu, load: () => import('./admin-models/models-page') },
  {
    page: 'connections',
    label: 'sidebar.connections',
    icon: Plug,
    load: () => import('./admin-settings/connections/connections-page'),
  },
  { page: 'users', label: 'sidebar.manageUsers', icon: UserCog, load: () => import('./admin-users/users-page') },
  {
    page: 'settings',
    label: 'sidebar.generalSettings',
    icon: Settings,
    load: () => import('./admin-settings/settings-page'),
  },
  {
    page: 'installation',
    label: 'sidebar.installation',
    icon: Activity,
    load: () => import('./admin-installation/installation-page'),
  },
  { page: 'usage', label: 'sidebar.usage', icon: ChartColumn, load: () => import('./usage/admin-usage-page') },
  { page: 'groups', label: 'sidebar.groups', icon: Users, load: () => import('./admin-groups/groups-page') },
  {
    page: 'keys',
    label: 'sidebar.apiKeys',
    icon: KeyRound,
    load: () => import('./api-integration/admin-keys/admin-keys-page'),
  },
  { page: 'tools', label: 'sidebar.toolServers', icon: Wrench, load: () => import('./admin-tools/tool-servers-page') },
  { page: 'failures', label: 'sidebar.failures', icon: CircleX, load: () => import('./admin-failures/failures-page') },
  { page: 'audit', label: 'sidebar.auditLog', icon: ScrollText, load: () => import('./admin-audit/audit-page') },
  {
    page: 'retention',
    label: 'sidebar.retention',
    icon: CalendarClock,
    load: () => import('./admin-retention/retention-page'),
  },
] as const satisfies readonly AdminPage[];

export type AdminPageName = (typeof ADMIN_PAGES)[number]['page'];

/** Loads a page; undefined for an address that has none. */
export async function loadAdminPage(name: AdminPageName): Promise<ComponentType | undefined> {
  return (await ADMIN_PAGES.find(({ page }) => page === name)?.load())?.default;
}
