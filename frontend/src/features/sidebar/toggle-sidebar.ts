import { WITHOUT_SIDEBAR } from '../../app/browser/media-queries';
import { useSidebar } from '../../app/state/sidebar';

export const MOBILE_SIDEBAR_ID = 'menu';

export function toggleSidebar(): void {
  const narrow = window.matchMedia(WITHOUT_SIDEBAR).matches;
  useSidebar.setState(({ slidIn, hidden }) => (narrow ? { slidIn: !slidIn } : { hidden: !hidden }));
}

/** Toggles the sidebar by its button and focuses the button that replaces it. */
export function pressSidebarButton(): void {
  toggleSidebar();
  setTimeout(() => document.querySelector<HTMLElement>('[data-sidebar-button]')?.focus());
}
