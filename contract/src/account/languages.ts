/**
 * Languages of the page. `spec` shows the texts of the product specification word for word, which are English with some
 * Indonesian ones; `en` and `id` are English and Indonesian throughout.
 */
export const LANGUAGES = ['spec', 'en', 'id'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language of the site. `browser` follows the languages of the visitor's browser. */
export const SITE_LANGUAGES = [...LANGUAGES, 'browser'] as const;
export type SiteLanguage = (typeof SITE_LANGUAGES)[number];
