import { create } from 'zustand';
import { NARROW } from '../../app/browser/media-queries';

interface SidebarStore {
  /** Whether the drawer of narrow screens is open. */
  slidIn: boolean;
  /** Whether the column of wide screens is hidden. */
  hidden: boolean;
}

export const useSidebar = create<SidebarStore>()(() => ({ slidIn: false, hidden: false }));

export const MOBILE_SIDEBAR_ID = 'menu';

export function slideOut(): void {
  useSidebar.setState({ slidIn: false });
}

export function slideIn(): void {
  useSidebar.setState({ slidIn: true });
}

/** Toggles the drawer on narrow screens and the column on wide ones. */
export function toggleSidebar(): void {
  const narrow = window.matchMedia(NARROW).matches;
  useSidebar.setState(({ slidIn, hidden }) => (narrow ? { slidIn: !slidIn } : { hidden: !hidden }));
}

/** Toggles the sidebar by its button and focuses the button that replaces it. */
export function pressSidebarButton(): void {
  toggleSidebar();
  setTimeout(() => document.querySelector<HTMLElement>('[data-sidebar-button]')?.focus());
}
