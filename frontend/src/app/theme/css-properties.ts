const style = document.documentElement.style;

/**
 * Replaces the list of all CSS properties of `@pandacss/is-valid-prop`, 3 kB gzip of the first JavaScript, by the browser's
 * own (vite.config.ts). Chakra uses it to separate style props from the other props of a component.
 */
export function isCssProperty(name: string): boolean {
  return name in style || name.startsWith('--') || /&|@/.test(name);
}
