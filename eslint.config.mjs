import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { literalText } from './scripts/checks/literal-text.mjs';

const sources = ['contract/src/**/*.ts', 'backend/src/**/*.ts', 'frontend/src/**/*.{ts,tsx}'];
const tests = ['**/*.test.ts', '**/*.test.tsx'];

/** Sinks that parse text as markup. */
const noMarkup = [
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text is never markup: render elements.' },
  {
    selector: 'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML|srcdoc)$/]',
    message: 'Text is never markup: render elements.',
  },
];
const noBarrel = {
  selector: 'ExportAllDeclaration',
  message: 'No barrels: import from the defining file.',
};

/** The rules that oxlint lacks; all others are in .oxlintrc.json. */
export default tseslint.config(
  { ignores: ['**/dist/**', '**/.dist-*/**', '**/*.gen.ts', ...tests] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: sources,
    languageOptions: { parser: tseslint.parser },
    plugins: { regexp },
    rules: {
      // Text of users, models and other sites must not make a regular expression backtrack.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { ignorePartial: false }],
      'no-restricted-syntax': ['error', noBarrel],
    },
  },
  { files: ['contract/src/index.ts'], rules: { 'no-restricted-syntax': 'off' } },
  { files: ['frontend/src/**'], rules: { 'no-restricted-syntax': ['error', noBarrel, ...noMarkup] } },
  {
    files: ['frontend/src/**'],
    ignores: ['**/fake-*', '**/*-fixtures.ts', 'frontend/src/texts/**', 'frontend/src/app/theme/**'],
    plugins: { texts: { rules: { literal: literalText } } },
    rules: { 'texts/literal': 'error' },
  },
);
