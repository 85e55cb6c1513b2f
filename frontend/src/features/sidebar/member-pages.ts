import { Braces, ChartColumn } from 'lucide-react';
import type { PageLink } from './page-section';

/** Apart from those of admins, whose icons the first screen does not wait for. */
export const MEMBER_PAGES: readonly PageLink[] = [
  { to: '/api-integration', label: 'sidebar.apiIntegration', icon: Braces },
  { to: '/usage', label: 'sidebar.myUsage', icon: ChartColumn },
];
