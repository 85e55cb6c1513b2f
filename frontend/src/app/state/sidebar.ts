import { create } from 'zustand';

interface SidebarStore {
  /** Whether the drawer of narrow screens is open. */
  slidIn: boolean;
  /** Whether the column of wide screens is hidden. */
  hidden: boolean;
}

export const useSidebar = create<SidebarStore>()(() => ({ slidIn: false, hidden: false }));

export function slideOut(): void {
  useSidebar.setState({ slidIn: false });
}

export function slideIn(): void {
  useSidebar.setState({ slidIn: true });
}
