import { create } from 'zustand';

interface SidebarStore {
  /** The slide-in of narrow screens. */
  slidIn: boolean;
  /** Put away on wide screens. */
  hidden: boolean;
}

export const useSidebar = create<SidebarStore>()(() => ({ slidIn: false, hidden: false }));

export const MOBILE_SIDEBAR_ID = 'menu';

/** Below Chakra's `md`. */
export const NARROW = '(max-width: 47.9975rem)';

export function slideOut(): void {
  useSidebar.setState({ slidIn: false });
}

export function slideIn(): void {
  useSidebar.setState({ slidIn: true });
}

/** Shows or hides the sidebar in whichever form the screen's width gives it. */
export function toggleSidebar(): void {
  const narrow = window.matchMedia(NARROW).matches;
  useSidebar.setState(({ slidIn, hidden }) => (narrow ? { slidIn: !slidIn } : { hidden: !hidden }));
}

/** The same by its button, which then gives way to the one for the way back. */
export function pressSidebarButton(): void {
  toggleSidebar();
  setTimeout(() => document.querySelector<HTMLElement>('[aria-label$=" sidebar"]')?.focus());
}

/** Brings the sidebar on the screen. */
export function showSidebar(): void {
  const narrow = window.matchMedia(NARROW).matches;
  useSidebar.setState(narrow ? { slidIn: true } : { hidden: false });
}
