const ASCII = /^[ -~]*$/;

/** The first two letters of a name, in capitals: letters as they are seen, so that no emoji and no accent is cut. */
export function initials(name: string): string {
  const capitals = name.toUpperCase();
  return (ASCII.test(capitals) ? [...capitals] : letters(capitals)).slice(0, 2).join('');
}

function letters(text: string): string[] {
  // Firefox has it since 2024.
  if (!('Segmenter' in Intl)) return [...text];
  return Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
}
