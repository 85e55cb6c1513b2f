const pair = (light: string, dark: string) => ({ color: { _light: light, _dark: dark } });

/** Colours of highlighted code. Their contrast with the background is at least 4.5 in both colour modes. */
export const codeColours = {
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
