import { Box, chakra } from '@chakra-ui/react';

/** Fills of a chart's names, largest name first. They differ by pattern too, so that readers need no colors. */
const FILLS = [
  { color: 'jade.solid', pattern: 'solid' },
  { color: 'gray.solid', pattern: 'solid' },
  { color: 'orange.solid', pattern: 'stripes' },
  { color: 'jade.solid', pattern: 'dots' },
  { color: 'gray.solid', pattern: 'grid' },
  { color: 'orange.solid', pattern: 'solid' },
] as const;

const SHAPES = {
  solid: 'M0 0h8v8h-8z',
  stripes: 'M-2 2l4 -4h3l-7 7zM-2 10l12 -12v3l-9 9h-3zM6 10l4 -4v4z',
  dots: 'M1 1h3v3h-3zM5 5h3v3h-3z',
  grid: 'M0 0h8v2h-8zM0 0h2v8h-2z',
};

export const fillOf = (index: number): string => `url(#usage-fill-${index % FILLS.length})`;

/** The definitions of all fills. Render them once on a page that has charts. */
export function SeriesFills() {
  return (
    <Box asChild position="absolute" width="0" height="0">
      <svg aria-hidden focusable="false">
        <defs>
          {FILLS.map(({ color, pattern }, index) => (
            <pattern
              key={index}
              id={`usage-fill-${index}`}
              width="8"
              height="8"
              patternUnits="userSpaceOnUse"
              overflow="hidden"
            >
              <chakra.rect width="8" height="8" fill="bg.panel" />
              <chakra.path d={SHAPES[pattern]} fill={color} />
            </pattern>
          ))}
        </defs>
      </svg>
    </Box>
  );
}

/** A sample of a fill beside its name. */
export function Swatch({ index }: { index: number }) {
  return (
    <Box asChild flexShrink={0} borderRadius="l1" borderWidth="1px" borderColor="border.emphasized">
      <svg width="14" height="14" aria-hidden focusable="false">
        <rect width="14" height="14" fill={fillOf(index)} />
      </svg>
    </Box>
  );
}
