import { create } from 'zustand';

export type ColorModePreference = 'system' | 'light' | 'dark';

/** public/first-paint.js reads the key too and sets the class before the first paint. */
const STORAGE_KEY = 'tanya.color-mode';

const systemIsDark = window.matchMedia('(prefers-color-scheme: dark)');

function storedPreference(): ColorModePreference {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

function resolve(preference: ColorModePreference): 'light' | 'dark' {
  if (preference !== 'system') return preference;
  return systemIsDark.matches ? 'dark' : 'light';
}

function applyMode(mode: 'light' | 'dark') {
  const root = document.documentElement;
  root.classList.remove('light', 'dark');
  root.classList.add(mode);
  root.style.colorScheme = mode;
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', mode === 'dark' ? '#131412' : '#FBFAF7');
}

interface ColorModeStore {
  preference: ColorModePreference;
  mode: 'light' | 'dark';
  setPreference: (preference: ColorModePreference) => void;
}

export const useColorMode = create<ColorModeStore>()((set) => ({
  preference: storedPreference(),
  mode: resolve(storedPreference()),
  setPreference: (preference) => {
    try {
      if (preference === 'system') localStorage.removeItem(STORAGE_KEY);
      else localStorage.setItem(STORAGE_KEY, preference);
    } catch {
      // Storage may be blocked; the preference then lasts until the page closes.
    }
    const mode = resolve(preference);
    applyMode(mode);
    set({ preference, mode });
  },
}));

applyMode(useColorMode.getState().mode);
systemIsDark.addEventListener('change', () => {
  const { preference, setPreference } = useColorMode.getState();
  if (preference === 'system') setPreference('system');
});
