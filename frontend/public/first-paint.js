// Runs before the app. Plain and small, because the first paint waits for it.
(() => {
  const root = document.documentElement;
  const nothing = () => null;
  const read = (path) => fetch(`/api${path}`, { credentials: 'include' });
  const add = (tag, properties) => document.head.append(Object.assign(document.createElement(tag), properties));
  const stored = (key) => {
    try {
      return localStorage.getItem(`tanya.${key}`);
    } catch {
      // Storage may be blocked; the choice of the system and of the site holds.
      return null;
    }
  };

  // A dark page never flashes light. Keep in step with src/app/theme/color-mode.ts.
  const mode = stored('color-mode') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.classList.add(mode === 'dark' ? mode : 'light');
  root.style.colorScheme = mode === 'dark' ? mode : 'light';

  // The outlines in index.html are those of home. A shared conversation is read at once, and shown by a script of its own.
  const path = location.pathname;
  if (path === '/') root.classList.add('at-home');
  if (path.startsWith('/share/')) {
    root.classList.add('at-share');
    window.firstShared = read(path).catch(nothing);
    add('script', { src: '/first-paint-share.js' });
  }

  // The site's own words are shown as soon as they are known; src/app/queries/settings.query.ts takes the answer over.
  window.firstSettings = read('/general-settings')
    .then((response) => (response.ok ? response.json() : null))
    .catch(nothing);

  // The catalogue of the page's language loads beside the scripts. Keep in step with src/app/language/choice.ts.
  let catalogues = null;
  const loadCatalogue = (language) => {
    const meta = document.querySelector('meta[name=catalogues]');
    catalogues = meta && JSON.parse(meta.content);
    const catalogue = catalogues?.[language];
    if (!catalogue) return null;
    root.lang = language === 'id' ? 'id' : 'en';
    add('link', { rel: 'modulepreload', crossOrigin: '', href: catalogue.url });
    return catalogue;
  };
  const siteLanguage = ({ defaultLanguage }) =>
    defaultLanguage === 'browser'
      ? (navigator.languages.map((tag) => tag.split('-')[0]).find((tag) => tag === 'en' || tag === 'id') ?? 'en')
      : defaultLanguage || 'spec';
  const shown = stored('language') || stored('language-shown');
  let texts = shown && loadCatalogue(shown);

  // The answer may come while the outlines are being parsed. Scripts of the app run later than this state.
  const parsed = new Promise((resolve) => {
    document.onreadystatechange = resolve;
  });

  window.firstSettings.then(async (settings) => {
    texts ||= loadCatalogue(settings ? siteLanguage(settings) : 'spec');
    if (document.readyState === 'loading') await parsed;
    const title = document.querySelector('#first-paint-title');
    if (!settings || !title) return;
    // An unchanged default is shown in the language of the page.
    const textOf = (name) => (texts && settings[name] === catalogues.spec[name] ? texts[name] : settings[name]);
    document.title = title.textContent = textOf('siteTitle');
    // A shared conversation replaces the outlines of home.
    const welcome = document.querySelector('#first-paint-welcome');
    if (!welcome) return;
    document.querySelector('.first-paint-composer').textContent = texts ? texts.placeholder : '';
    welcome.textContent = textOf('welcomeMessage');
  });
})();
