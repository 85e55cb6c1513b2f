import { ADMIN_PAGES } from '../admin-pages';
import type { PageLink } from './page-section';

export const ADMIN_LINKS: readonly PageLink[] = ADMIN_PAGES.map(({ page, label, icon }) => ({
  to: '/admin/{-$page}',
  params: { page },
  label,
  icon,
}));
