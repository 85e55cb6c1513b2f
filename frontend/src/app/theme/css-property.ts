/** A descriptor of `@page`, which Chromium takes for a property. */
const NO_PROPERTY = 'size';

/**
 * Whether a prop of an element is style. In the built page this stands for Chakra's list of all properties, which is 2.4 kB
 * of the first JavaScript; a property that the browser does not know has no effect anyway.
 */
export const isCssProperty = (prop: string): boolean =>
  prop.startsWith('--') || /[&@]/.test(prop) || (prop !== NO_PROPERTY && isKnown(prop));

function isKnown(prop: string): boolean {
  const name = prop.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  // Emotion writes the prefix of Safari where it is needed.
  return CSS.supports(name, 'inherit') || CSS.supports(`-webkit-${name}`, 'inherit');
}
