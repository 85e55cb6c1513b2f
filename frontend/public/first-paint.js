// What comes before the app. Plain and small, because the first paint waits for it.
(function () {
  var root = document.documentElement;

  // A dark page never flashes light. Keep in step with src/app/color-mode.ts.
  var stored = null;
  try {
    stored = localStorage.getItem('tanya.color-mode');
  } catch {
    // Storage may be blocked; the system's choice holds.
  }
  var dark = stored ? stored === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.classList.add(dark ? 'dark' : 'light');
  root.style.colorScheme = dark ? 'dark' : 'light';

  // The outlines in index.html are those of home.
  if (location.pathname === '/') root.classList.add('at-home');

  // The site's own words are shown as soon as they are known; src/app/queries/settings.query.ts takes the answer over.
  window.firstSettings = fetch('/api/general-settings', { credentials: 'include' })
    .then(function (response) {
      return response.ok ? response.json() : null;
    })
    .catch(function () {
      return null;
    });
  window.firstSettings.then(function (settings) {
    var welcome = document.getElementById('first-paint-welcome');
    if (!settings || !welcome) return;
    document.title = settings.siteTitle;
    document.getElementById('first-paint-title').textContent = settings.siteTitle;
    welcome.textContent = settings.welcomeMessage;
  });
})();
