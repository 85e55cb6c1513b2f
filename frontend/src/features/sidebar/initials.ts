const ASCII = /^[ -~]*$/;

/** The first two graphemes of a name in upper case, so that emoji and accents stay whole. */
export function initials(name: string): string {
  const capitals = name.toUpperCase();
  return (ASCII.test(capitals) ? [...capitals] : graphemes(capitals)).slice(0, 2).join('');
}

function graphemes(text: string): string[] {
  // Firefox supports Intl.Segmenter since 2024.
  if (!('Segmenter' in Intl)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
