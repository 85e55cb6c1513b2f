// Runs before the first paint so that a dark page never flashes light. Keep in step with src/app/color-mode.ts.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('tanya.color-mode');
  } catch {
    // Storage may be blocked; the system's choice holds.
  }
  var dark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.classList.add(dark ? 'dark' : 'light');
  document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
})();
