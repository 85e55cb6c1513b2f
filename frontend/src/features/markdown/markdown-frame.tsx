import { chakra } from '@chakra-ui/react';
import { codeColours } from './code-colours';

const heading = { fontWeight: '600', lineHeight: '1.35', letterSpacing: '-0.01em', marginTop: '1.4em' };

/** The look of a message's text. Plain selectors, so that a token costs no styling work. */
export const MarkdownFrame = chakra('div', {
  base: {
    textStyle: 'message',
    overflowWrap: 'anywhere',
    minW: 0,
    '& > * + *': { marginTop: '3.5' },
    // Each paragraph in the direction of its own script; code and formulas always from the left.
    '& :is(p, li, h1, h2, h3, h4, h5, h6, th, td)': { unicodeBidi: 'plaintext' },
    '& .code-block, & .katex': { direction: 'ltr' },
    '& > :first-child': { marginTop: 0 },
    '& .plain': { whiteSpace: 'pre-wrap' },
    '& h1': { ...heading, fontSize: 'xl' },
    '& h2': { ...heading, fontSize: 'lg' },
    '& h3': { ...heading, fontSize: 'md' },
    '& h4, & h5, & h6': { ...heading, fontSize: 'message' },
    '& strong': { fontWeight: '600' },
    '& a': { color: 'fg.accent', textDecoration: 'underline', textUnderlineOffset: '3px' },
    '& ul, & ol': { paddingInlineStart: '6' },
    '& ul': { listStyleType: 'disc' },
    '& ol': { listStyleType: 'decimal' },
    '& li + li, & ol + ol, & ul + ul': { marginTop: '1.5' },
    '& li > ul, & li > ol': { marginTop: '1.5' },
    '& li > p + p, & li > p + .code-block, & li > .code-block': { marginTop: '2.5' },
    '& li::marker': { color: 'fg.muted' },
    '& .contains-task-list': { listStyleType: 'none', paddingInlineStart: '1' },
    '& .task-list-item input': { marginInlineEnd: '2', verticalAlign: '-1px', accentColor: 'currentColor' },
    '& blockquote': { borderInlineStartWidth: '3px', paddingInlineStart: '4', color: 'fg.muted' },
    '& blockquote > * + *': { marginTop: '2.5' },
    '& hr': { borderTopWidth: '1px', marginBlock: '6' },
    '& img': { maxHeight: '16rem', maxWidth: '100%', borderRadius: 'l2' },
    '& :not(pre) > code': {
      fontFamily: 'mono',
      fontSize: '0.875em',
      bg: 'bg.muted',
      borderRadius: '5px',
      paddingInline: '1',
      paddingBlock: '0.5',
    },
    '& .table-frame': { overflowX: 'auto', borderWidth: '1px', borderRadius: 'l3', overflowWrap: 'normal' },
    '& table': { width: '100%', fontSize: 'sm', fontVariantNumeric: 'tabular-nums', borderCollapse: 'collapse' },
    '& th': { textAlign: 'start', fontWeight: '600', bg: 'bg.subtle' },
    '& th, & td': { paddingInline: '3', paddingBlock: '2', minWidth: '6rem', verticalAlign: 'top' },
    '& tr + tr td, & tbody td': { borderTopWidth: '1px' },
    '& .katex-display': { overflowX: 'auto', overflowY: 'hidden', paddingBlock: '1' },
    '& .footnotes': { borderTopWidth: '1px', paddingTop: '3', fontSize: 'sm', color: 'fg.muted' },
    '& .sr-only': { srOnly: true },
    ...codeColours,
    '&[data-streaming] > p:last-child::after, &[data-streaming] > ul:last-child > li:last-child::after, &[data-streaming] > ol:last-child > li:last-child::after, &[data-streaming] > :is(h1,h2,h3,h4,h5,h6):last-child::after':
      {
        content: '""',
        display: 'inline-block',
        width: '0.5em',
        height: '1.05em',
        marginInlineStart: '1',
        verticalAlign: '-0.15em',
        borderRadius: '2px',
        bg: 'fg.accent',
        opacity: 0.55,
      },
  },
});
