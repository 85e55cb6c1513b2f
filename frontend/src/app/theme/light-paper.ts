const nothing = () => undefined;

/** Calls back around a print; returns an unsubscribe function. The light colours are set meanwhile: paper is white. */
export function onPrint(onBegin: () => void = nothing, onEnd: () => void = nothing): () => void {
  const root = document.documentElement;
  let isDark = false;
  const begin = () => {
    isDark = root.classList.contains('dark');
    if (isDark) root.classList.replace('dark', 'light');
    onBegin();
  };
  const end = () => {
    if (isDark) root.classList.replace('light', 'dark');
    onEnd();
  };
  window.addEventListener('beforeprint', begin);
  window.addEventListener('afterprint', end);
  return () => {
    window.removeEventListener('beforeprint', begin);
    window.removeEventListener('afterprint', end);
  };
}
