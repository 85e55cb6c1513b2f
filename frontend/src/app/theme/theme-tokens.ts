import { defineSemanticTokens, defineTokens } from '@chakra-ui/react';
import { textStyles as chakraTextStyles, tokens as chakraTokens } from '@chakra-ui/react/theme';

/** Warm neutrals, one accent, red for destructive actions and amber for a low quota. */
const colors = defineTokens.colors({
  transparent: { value: 'transparent' },
  current: { value: 'currentColor' },
  black: { value: '#0B0C0A' },
  white: { value: '#FFFFFF' },
  blackAlpha: { 500: { value: 'rgba(12, 12, 10, 0.36)' }, 700: { value: 'rgba(6, 6, 5, 0.64)' } },
  gray: {
    50: { value: '#FBFAF7' },
    100: { value: '#F4F2ED' },
    200: { value: '#E9E6DF' },
    300: { value: '#D6D2C8' },
    400: { value: '#A09C92' },
    500: { value: '#878277' },
    600: { value: '#6B675F' },
    700: { value: '#4C4A44' },
    800: { value: '#2C2D2A' },
    900: { value: '#1D1C1A' },
    950: { value: '#131412' },
  },
  jade: {
    50: { value: '#E9F5F1' },
    100: { value: '#D3EBE3' },
    200: { value: '#A9D8CA' },
    300: { value: '#6FDBBF' },
    400: { value: '#3CCBA6' },
    500: { value: '#189B7F' },
    600: { value: '#0E7C66' },
    700: { value: '#0B6553' },
    800: { value: '#12423A' },
    900: { value: '#14302A' },
  },
  red: {
    50: { value: '#FCEFED' },
    100: { value: '#F9DFDB' },
    200: { value: '#F0BFB8' },
    300: { value: '#F2A79D' },
    400: { value: '#EE8578' },
    500: { value: '#D24B3D' },
    600: { value: '#B8352A' },
    700: { value: '#96281F' },
    800: { value: '#4F211D' },
    900: { value: '#371C19' },
  },
  orange: {
    50: { value: '#FBF3E1' },
    100: { value: '#F6E6C3' },
    200: { value: '#E9CD90' },
    300: { value: '#EBBE62' },
    400: { value: '#DDA53B' },
    500: { value: '#B57B14' },
    600: { value: '#8A5A0B' },
    700: { value: '#6F480A' },
    800: { value: '#453417' },
    900: { value: '#322818' },
  },
});

export const tokens = defineTokens({
  ...chakraTokens,
  colors,
  fonts: {
    body: { value: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif" },
    heading: { value: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif" },
    mono: { value: "'JetBrains Mono Variable', ui-monospace, Menlo, Consolas, monospace" },
  },
  fontSizes: {
    '2xs': { value: '0.6875rem' },
    xs: { value: '0.75rem' },
    caption: { value: '0.8125rem' },
    sm: { value: '0.875rem' },
    message: { value: '0.9375rem' },
    md: { value: '1rem' },
    lg: { value: '1.125rem' },
    xl: { value: '1.375rem' },
    '2xl': { value: '1.75rem' },
  },
});

const palette = (name: string) => ({
  contrast: { value: { _light: '{colors.white}', _dark: '{colors.gray.950}' } },
  fg: { value: { _light: `{colors.${name}.700}`, _dark: `{colors.${name}.300}` } },
  subtle: { value: { _light: `{colors.${name}.50}`, _dark: `{colors.${name}.900}` } },
  muted: { value: { _light: `{colors.${name}.100}`, _dark: `{colors.${name}.800}` } },
  emphasized: { value: { _light: `{colors.${name}.200}`, _dark: `{colors.${name}.700}` } },
  solid: { value: { _light: `{colors.${name}.600}`, _dark: `{colors.${name}.400}` } },
  /** Fill of a hovered button: more contrast to the page than `solid`, so that its text stays readable. */
  hover: { value: { _light: `{colors.${name}.700}`, _dark: `{colors.${name}.300}` } },
  focusRing: { value: { _light: '{colors.jade.600}', _dark: '{colors.jade.400}' } },
  border: { value: { _light: `{colors.${name}.500}`, _dark: `{colors.${name}.400}` } },
});

const pair = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } });

export const semanticTokens = {
  colors: defineSemanticTokens.colors({
    bg: {
      DEFAULT: pair('{colors.gray.50}', '{colors.gray.950}'),
      panel: pair('{colors.white}', '#1B1C1A'),
      subtle: pair('{colors.gray.100}', '#20211F'),
      muted: pair('#EFECE5', '#272825'),
      emphasized: pair('{colors.gray.200}', '#30312E'),
      inverted: pair('{colors.gray.900}', '{colors.gray.100}'),
      error: pair('{colors.red.50}', '{colors.red.900}'),
      warning: pair('{colors.orange.50}', '{colors.orange.900}'),
      success: pair('{colors.jade.50}', '{colors.jade.900}'),
      info: pair('{colors.gray.100}', '#20211F'),
      bubble: pair('#EFECE5', '#262724'),
    },
    fg: {
      DEFAULT: pair('{colors.gray.900}', '#ECEAE4'),
      muted: pair('#625E57', '#A8A49A'),
      subtle: pair('#6B675F', '#A09C92'),
      inverted: pair('{colors.gray.50}', '{colors.gray.950}'),
      error: pair('{colors.red.600}', '{colors.red.400}'),
      warning: pair('{colors.orange.600}', '{colors.orange.300}'),
      success: pair('{colors.jade.700}', '{colors.jade.400}'),
      info: pair('{colors.gray.700}', '{colors.gray.300}'),
      accent: pair('{colors.jade.600}', '{colors.jade.400}'),
    },
    border: {
      DEFAULT: pair('{colors.gray.200}', '{colors.gray.800}'),
      muted: pair('#F0EDE7', '#242522'),
      subtle: pair('{colors.gray.100}', '#20211F'),
      /** Borders that carry meaning, such as those of fields: a contrast of at least 3:1. */
      emphasized: pair('#8E897E', '#6E6B63'),
      inverted: pair('{colors.gray.800}', '{colors.gray.200}'),
      error: pair('{colors.red.600}', '{colors.red.400}'),
      warning: pair('{colors.orange.500}', '{colors.orange.400}'),
      success: pair('{colors.jade.600}', '{colors.jade.400}'),
      info: pair('{colors.gray.500}', '{colors.gray.500}'),
    },
    gray: {
      contrast: pair('{colors.white}', '{colors.gray.950}'),
      fg: pair('{colors.gray.900}', '#ECEAE4'),
      subtle: pair('{colors.gray.100}', '#242522'),
      muted: pair('{colors.gray.200}', '{colors.gray.800}'),
      emphasized: pair('{colors.gray.300}', '#3A3B37'),
      solid: pair('{colors.gray.900}', '#ECEAE4'),
      hover: pair('{colors.black}', '{colors.white}'),
      focusRing: pair('{colors.jade.600}', '{colors.jade.400}'),
      /** Border of outlined buttons, visible on panels and on the sidebar. */
      border: pair('{colors.gray.300}', '#43443F'),
    },
    jade: palette('jade'),
    red: palette('red'),
    orange: palette('orange'),
  }),
  radii: defineSemanticTokens.radii({
    l1: { value: '6px' },
    l2: { value: '8px' },
    l3: { value: '12px' },
    bubble: { value: '20px' },
  }),
  shadows: defineSemanticTokens.shadows(
    Object.fromEntries(
      // One soft shadow for all floating elements, whatever size a stock recipe uses.
      ['xs', 'sm', 'md', 'lg', 'xl', 'float'].map((name) => [
        name,
        {
          value: {
            _light: '0 8px 28px rgba(29, 28, 26, 0.10), 0 0 1px rgba(29, 28, 26, 0.24)',
            _dark: '0 8px 28px rgba(0, 0, 0, 0.48), 0 0 0 1px rgba(236, 234, 228, 0.08)',
          },
        },
      ]),
    ),
  ),
};

export const textStyles = {
  ...chakraTextStyles,
  xl: { value: { fontSize: 'xl', lineHeight: '1.75rem', letterSpacing: '-0.01em' } },
  '2xl': { value: { fontSize: '2xl', lineHeight: '2.25rem', letterSpacing: '-0.02em' } },
  caption: { value: { fontSize: 'caption', lineHeight: '1.125rem' } },
  message: { value: { fontSize: 'message', lineHeight: '1.6' } },
};
