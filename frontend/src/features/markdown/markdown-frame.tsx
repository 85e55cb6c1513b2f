import { chakra } from '@chakra-ui/react';

const heading = { fontWeight: '600', lineHeight: '1.35', letterSpacing: '-0.01em', marginTop: '1.4em' };

const pair = (light: string, dark: string) => ({ color: { _light: light, _dark: dark } });

/** Colours of highlighted code. Their contrast with the background is at least 4.5 in both colour modes. */
const codeColours = {
  '& .hljs-comment, & .hljs-quote, & .hljs-meta': { ...pair('#6B675F', '#A09C92'), fontStyle: 'italic' },
  '& .hljs-keyword, & .hljs-selector-tag, & .hljs-built_in, & .hljs-doctag': pair('#8A3B76', '#DDA0CF'),
  '& .hljs-string, & .hljs-regexp, & .hljs-addition, & .hljs-attr': pair('#0B6553', '#6FDBBF'),
  '& .hljs-number, & .hljs-literal, & .hljs-symbol, & .hljs-bullet': pair('#8A5A0B', '#EBBE62'),
  '& .hljs-title, & .hljs-section, & .hljs-name, & .hljs-selector-id, & .hljs-selector-class': pair(
    '#2A5CAA',
    '#8FB8F0',
  ),
  '& .hljs-type, & .hljs-class, & .hljs-params, & .hljs-variable, & .hljs-template-variable': pair(
    '#7A4A1E',
    '#E0B48C',
  ),
  '& .hljs-deletion': pair('#96281F', '#F2A79D'),
  '& .hljs-emphasis': { fontStyle: 'italic' },
  '& .hljs-strong': { fontWeight: '600' },
};

/** Styles the text of a message by plain selectors, so that an update needs no styling work in JavaScript. */
export const MarkdownFrame = chakra('div', {
  base: {
    textStyle: 'message',
    overflowWrap: 'anywhere',
    minW: 0,
    // Each block is painted separately, so that an update repaints one block.
    '& > *': { isolation: 'isolate' },
    '& > * + *': { marginTop: '3.5' },
    // Each paragraph has the direction of its script; code and formulas are left to right.
    '& :is(p, li, h1, h2, h3, h4, h5, h6, th, td)': { unicodeBidi: 'plaintext' },
    // Isolated: the parts of a formula would follow each other in the direction of its sentence.
    '& .code-block, & .katex': { direction: 'ltr', unicodeBidi: 'isolate' },
    '& > :first-child': { marginTop: 0 },
    '& .plain': { whiteSpace: 'pre-wrap' },
    '& h1': { ...heading, fontSize: 'xl' },
    '& h2': { ...heading, fontSize: 'lg' },
    '& h3': { ...heading, fontSize: 'md' },
    '& h4, & h5, & h6': { ...heading, fontSize: 'message' },
    '& strong': { fontWeight: '600' },
    '& a': { color: 'fg.accent', textDecoration: 'underline', textUnderlineOffset: '3px' },
    '& a.citation': {
      display: 'inline-block',
      minWidth: '1.5em',
      paddingInline: '1',
      marginInline: '0.5',
      borderRadius: 'full',
      bg: 'bg.emphasized',
      color: 'fg.muted',
      fontSize: '0.75em',
      lineHeight: '1.5',
      textAlign: 'center',
      textDecoration: 'none',
      verticalAlign: '0.1em',
      _hover: { color: 'fg' },
    },
    '& ul, & ol': { paddingInlineStart: '6' },
    '& ul': { listStyleType: 'disc' },
    '& ol': { listStyleType: 'decimal' },
    '& li + li, & ol + ol, & ul + ul': { marginTop: '1.5' },
    '& li > ul, & li > ol': { marginTop: '1.5' },
    '& li > p + p, & li > p + .code-block, & li > .code-block': { marginTop: '2.5' },
    '& li::marker': { color: 'fg.muted' },
    // A list may have tasks and other items.
    '& .task-list-item': { listStyleType: 'none' },
    '& .task-list-item input': {
      marginInlineStart: '-5',
      marginInlineEnd: '2',
      verticalAlign: '-1px',
      accentColor: 'currentColor',
    },
    '& blockquote': { borderInlineStartWidth: '3px', paddingInlineStart: '4', color: 'fg.muted' },
    '& blockquote > * + *': { marginTop: '2.5' },
    '& hr': { borderTopWidth: '1px', marginBlock: '6' },
    '& img': { maxHeight: '16rem', maxWidth: '100%', borderRadius: 'l2' },
    '& :is(sub, sup)': { lineHeight: '0' },
    '& mark': { bg: 'bg.emphasized', color: 'inherit', borderRadius: '3px', paddingInline: '0.5' },
    '& kbd': { fontFamily: 'mono', fontSize: '0.875em', borderWidth: '1px', borderRadius: '5px', paddingInline: '1' },
    '& details': { borderWidth: '1px', borderRadius: 'l3', paddingInline: '4', paddingBlock: '2' },
    '& summary': { cursor: 'pointer', fontWeight: '600' },
    '& details > * + *': { marginTop: '2.5' },
    '& :not(pre) > code': {
      // Brackets of code do not move into the direction of the text around it.
      direction: 'ltr',
      unicodeBidi: 'isolate',
      fontFamily: 'mono',
      fontSize: '0.875em',
      bg: 'bg.muted',
      borderRadius: '5px',
      paddingInline: '1',
      paddingBlock: '0.5',
    },
    '& .code-block': {
      position: 'relative',
      borderWidth: '1px',
      borderRadius: 'l3',
      overflow: 'hidden',
      bg: 'bg.subtle',
    },
    '& .code-header': {
      display: 'flex',
      alignItems: 'center',
      gap: '1',
      ps: '4',
      pe: '1.5',
      minH: '9',
      borderBottomWidth: '1px',
      color: 'fg.muted',
      textStyle: 'xs',
      fontFamily: 'mono',
    },
    '& .code-header > span': { flex: '1', truncate: true },
    '& .code-header[data-plain]': {
      position: 'absolute',
      // Above the lines of the code, each of which is a layer of its own.
      zIndex: 1,
      top: 0,
      right: 0,
      minH: '11',
      ps: '1.5',
      borderBottomWidth: 0,
      bg: 'bg.subtle',
    },
    '& .code-header[data-plain] + pre': { paddingRight: '5.5rem' },
    '& .code-block pre': {
      margin: 0,
      paddingBlock: '3',
      paddingInline: '4',
      overflowX: 'auto',
      fontFamily: 'mono',
      fontSize: 'caption',
      lineHeight: '1.6',
      tabSize: 2,
    },
    '& .code-lines': { display: 'block', isolation: 'isolate' },
    '& .code-block pre[data-wrap=true]': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
    '& .table-block': { position: 'relative', width: 'fit-content', maxWidth: '100%' },
    // As wide as its columns need.
    '& .table-frame': {
      width: 'fit-content',
      maxWidth: '100%',
      overflowX: 'auto',
      borderWidth: '1px',
      borderRadius: 'l3',
      overflowWrap: 'normal',
    },
    '& .table-tools': { display: 'flex', justifyContent: 'flex-end', gap: '1', marginTop: '1' },
    '& .table-tools > button': { bg: 'bg.panel' },
    '@media (hover: hover)': {
      // Over the upper edge of the table, where it covers no text.
      '& .table-tools': {
        position: 'absolute',
        top: '-5',
        insetInlineEnd: '2',
        marginTop: 0,
        opacity: 0,
        transition: 'opacity 120ms ease-out',
      },
      '& .table-block:is(:hover, :focus-within) > .table-tools': { opacity: 1 },
    },
    '& table': { fontSize: 'sm', fontVariantNumeric: 'tabular-nums', borderCollapse: 'collapse' },
    // The columns have the direction of the table, and each cell that of its text.
    '& :is(th, td)': { textAlign: 'left' },
    '& .table-frame:dir(rtl) :is(th, td)': { textAlign: 'right' },
    '& th': { fontWeight: '600', bg: 'bg.subtle' },
    '& th, & td': { paddingInline: '3', paddingBlock: '2', verticalAlign: 'top' },
    // Tables scroll on narrow screens, so a column is as wide as its text, up to a maximum.
    '@media (max-width: 47.9975rem)': {
      '& table': { width: 'max-content' },
      '& th, & td': { maxWidth: '14rem' },
    },
    '& tr + tr td, & tbody td': { borderTopWidth: '1px' },
    '& .katex-display': { overflowX: 'auto', overflowY: 'hidden', marginBlock: '0', paddingBlock: '2' },
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
        // Opacity would recompute the layers at each update.
        bg: 'fg.accent/55',
      },
  },
});
