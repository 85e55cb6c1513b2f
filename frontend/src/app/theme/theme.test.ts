import { semanticTokens, tokens } from './theme-tokens';

type Mode = '_light' | '_dark';
const roots = [tokens.colors, semanticTokens.colors] as unknown as Record<string, unknown>[];

/** The hex value of a color token such as `bg.panel` in a color mode; follows references. */
function hexOf(path: string, mode: Mode): string {
  for (const root of roots) {
    const token = path.split('.').reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], root);
    const { value } = (token ?? {}) as { value?: unknown };
    const { value: fallback } = ((token as Record<string, unknown>)?.DEFAULT ?? {}) as { value?: unknown };
    const found = (value ?? fallback) as string | Record<Mode, string> | undefined;
    if (found === undefined) continue;
    const text = typeof found === 'string' ? found : found[mode];
    const reference = /^\{colors\.(.+)\}$/.exec(text)?.[1];
    return reference ? hexOf(reference, mode) : text;
  }
  throw new Error(`No color token ${path}`);
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = parseInt(hex.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['bg', 'bg.panel', 'bg.subtle', 'bg.muted', 'bg.bubble'];
const PALETTES = ['gray', 'jade', 'red', 'orange'];

const TEXTS = [
  ...SURFACES.flatMap((surface) => [
    ['fg', surface],
    ['fg.muted', surface],
  ]),
  ['fg.subtle', 'bg.panel'],
  ['fg.accent', 'bg'],
  ['fg.accent', 'bg.panel'],
  ['fg.error', 'bg.panel'],
  ['fg', 'bg.warning'],
  ['fg.inverted', 'bg.inverted'],
  ...PALETTES.flatMap((name) => [
    [`${name}.contrast`, `${name}.solid`],
    [`${name}.contrast`, `${name}.hover`],
    [`${name}.fg`, `${name}.subtle`],
    [`${name}.fg`, `${name}.muted`],
  ]),
] as [string, string][];

const MARKS = [
  ['border.emphasized', 'bg.panel'],
  ['border.error', 'bg.panel'],
  ['fg.warning', 'bg.warning'],
  ...['bg', 'bg.panel', 'bg.subtle'].map((surface) => ['jade.focusRing', surface]),
] as [string, string][];

describe.each([
  ['light', '_light'],
  ['dark', '_dark'],
] as const)('the %s theme', (_name, mode) => {
  it.each(TEXTS)('shows %s on %s with a contrast of at least 4.5:1', (text, surface) => {
    expect(contrast(hexOf(text, mode), hexOf(surface, mode))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(MARKS)('shows %s on %s with a contrast of at least 3:1', (mark, surface) => {
    expect(contrast(hexOf(mark, mode), hexOf(surface, mode))).toBeGreaterThanOrEqual(3);
  });
});
