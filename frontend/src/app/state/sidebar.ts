import { create } from 'zustand';

interface SidebarStore {
  slidIn: boolean;
  hidden: boolean;
}

export const useSidebar = create<SidebarStore>()(() => ({ slidIn: false, hidden: false }));

export function slideOut(): void {
  useSidebar.setState({ slidIn: false });
}

export function slideIn(): void {
  useSidebar.setState({ slidIn: true });
}
