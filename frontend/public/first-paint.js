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

  // The catalogue of the page's language loads beside the scripts. Keep in step with src/app/language/choice.ts.
  var catalogues = null;
  function loadCatalogue(language) {
    var meta = document.querySelector('meta[name=catalogues]');
    catalogues = meta && JSON.parse(meta.content);
    if (!catalogues || !catalogues[language]) return null;
    root.lang = language === 'id' ? 'id' : 'en';
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.crossOrigin = '';
    link.href = catalogues[language].url;
    document.head.append(link);
    return catalogues[language];
  }
  function siteLanguage(settings) {
    if (settings.defaultLanguage !== 'browser') return settings.defaultLanguage || 'spec';
    var tags = navigator.languages.map(function (tag) {
      return tag.split('-')[0];
    });
    return (
      tags.find(function (tag) {
        return tag === 'en' || tag === 'id';
      }) || 'en'
    );
  }
  var shown = null;
  try {
    shown = localStorage.getItem('tanya.language') || localStorage.getItem('tanya.language-shown');
  } catch {
    // Storage may be blocked; the language of the site holds.
  }
  var texts = shown && loadCatalogue(shown);

  window.firstSettings.then(function (settings) {
    texts = texts || loadCatalogue(settings ? siteLanguage(settings) : 'spec');
    var welcome = document.getElementById('first-paint-welcome');
    if (!settings || !welcome) return;
    // An unchanged default is shown in the language of the page.
    function textOf(name) {
      return texts && settings[name] === catalogues.spec[name] ? texts[name] : settings[name];
    }
    document.title = textOf('siteTitle');
    document.getElementById('first-paint-title').textContent = textOf('siteTitle');
    document.querySelector('.first-paint-composer').textContent = texts ? texts.placeholder : '';
    welcome.textContent = textOf('welcomeMessage');
  });
})();
