/** The languages with syntax highlighting. */
const COLOURED = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'dart',
  'diff',
  'dockerfile',
  'elixir',
  'go',
  'graphql',
  'haskell',
  'http',
  'ini',
  'java',
  'javascript',
  'json',
  'kotlin',
  'latex',
  'lua',
  'makefile',
  'markdown',
  'matlab',
  'nginx',
  'perl',
  'php',
  'powershell',
  'python',
  'r',
  'ruby',
  'rust',
  'scala',
  'scss',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
] as const;

export type Coloured = (typeof COLOURED)[number];

const ALIASES: Record<string, string> = {
  'c++': 'cpp',
  'c#': 'csharp',
  cjs: 'javascript',
  cs: 'csharp',
  docker: 'dockerfile',
  golang: 'go',
  html: 'xml',
  js: 'javascript',
  json5: 'json',
  jsonc: 'json',
  jsx: 'javascript',
  kt: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mjs: 'javascript',
  ps1: 'powershell',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  svg: 'xml',
  tex: 'latex',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  yml: 'yaml',
  zsh: 'bash',
};

/** Names of languages as people write them; of others, the first letter becomes a capital. */
const NAMES: Record<string, string> = {
  'c++': 'C++',
  'c#': 'C#',
  cjs: 'JavaScript',
  cpp: 'C++',
  cs: 'C#',
  csharp: 'C#',
  css: 'CSS',
  csv: 'CSV',
  docker: 'Dockerfile',
  golang: 'Go',
  graphql: 'GraphQL',
  html: 'HTML',
  http: 'HTTP',
  ini: 'INI',
  javascript: 'JavaScript',
  js: 'JavaScript',
  json: 'JSON',
  json5: 'JSON5',
  jsonc: 'JSON',
  jsx: 'JSX',
  kt: 'Kotlin',
  latex: 'LaTeX',
  make: 'Makefile',
  matlab: 'MATLAB',
  md: 'Markdown',
  mjs: 'JavaScript',
  php: 'PHP',
  powershell: 'PowerShell',
  ps1: 'PowerShell',
  py: 'Python',
  rb: 'Ruby',
  rs: 'Rust',
  scss: 'SCSS',
  sh: 'Shell',
  sql: 'SQL',
  svg: 'SVG',
  tex: 'LaTeX',
  toml: 'TOML',
  ts: 'TypeScript',
  tsx: 'TSX',
  typescript: 'TypeScript',
  xml: 'XML',
  yaml: 'YAML',
  yml: 'YAML',
};

const PLAIN = new Set(['', 'text', 'txt', 'plain', 'plaintext', 'plain-text', 'none']);

/** The language in the info string of a fence, which may go on with a file or options: `ts:src/app.ts`, `{python}`. */
export const languageIn = (info: string): string => /^(?:\{\.?)?([^\s:,{}=;]*)/.exec(info)![1]!;

/** The name of a fence's language; null for text without a language. */
export function languageName(info: string): string | null {
  const name = info.toLowerCase();
  if (PLAIN.has(name)) return null;
  return Object.hasOwn(NAMES, name) ? NAMES[name]! : info.charAt(0).toUpperCase() + info.slice(1);
}

/** The language of a fence's info string; null if it has no highlighting. */
export function languageOf(info: string): Coloured | null {
  const name = info.toLowerCase();
  const canonical = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return COLOURED.find((language) => language === canonical) ?? null;
}
