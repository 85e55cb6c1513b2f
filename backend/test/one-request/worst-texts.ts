/** A piece of JSON text, repeated to at most `room` bytes. */
export const repeated =
  (piece: string) =>
  (room: number): string =>
    piece.repeat(Math.max(0, Math.floor(room / Buffer.byteLength(piece))));

/** Contents of JSON texts, as they stand between quotes, by the number of bytes that they may have. */
export const texts: Record<string, (room: number) => string> = {
  letters: repeated('a'),
  'escaped zeros': repeated('\\u0000'),
  'escaped quotes': repeated('\\"'),
  'escaped backslashes': repeated('\\\\'),
  'unpaired surrogates': repeated('\\ud800'),
  emoji: repeated('💥'),
  'Japanese letters': repeated('日'),
  'combining accents': (room) => `e${repeated('\u0301')(room - 1)}`,
  brackets: repeated('('),
  blanks: (room) => `x${repeated(' ')(room - 2)}x`,
  lines: repeated('\\n'),
  addresses: repeated('a@a.'),
  'empty objects': (room) => `[${repeated('{},')(room - 4)}{}]`,
};
