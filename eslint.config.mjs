import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import globals from 'globals';
import tseslint from 'typescript-eslint';
import { literalText } from './scripts/literal-text.mjs';

const typescript = ['**/*.ts', '**/*.tsx'];
const tests = ['**/*.test.ts', '**/*.test.tsx', 'backend/test/**', 'e2e/**', 'bench/**'];

const onlyInEnv = {
  object: 'process',
  property: 'env',
  message: 'Only backend/src/config/env.ts reads the environment.',
};
const onlyInApiClient = { name: 'fetch', message: 'Only frontend/src/app/api/api-client.ts calls fetch.' };
const onlyInSocket = { name: 'socket.io-client', message: 'Only frontend/src/app/socket/socket.ts opens a socket.' };
const ownLengths = {
  name: 'class-validator',
  importNames: ['MinLength', 'MaxLength', 'Length'],
  message: 'platform/http/dto.decorators.ts counts as the browser does.',
};
const ownContext = {
  name: 'node:async_hooks',
  message: 'platform/system/async-context.ts stops the tracking of promises.',
};
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

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/.dist-*/**',
      '**/*.gen.ts',
      'node_modules/**',
      '.data/**',
      '.tmp/**',
      'test-results/**',
      'playwright-report/**',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  { files: ['**/*.mjs', '**/*.cjs'], languageOptions: { globals: globals.node } },
  { files: ['scripts/*.test.mjs', 'bench/**/*.test.mjs'], languageOptions: { globals: globals.jest } },
  // These scripts run in the page, the rest of bench in Node.
  { files: ['bench/parts/page-*.mjs'], languageOptions: { globals: globals.browser } },
  { files: ['frontend/public/**/*.js'], languageOptions: { globals: globals.browser } },
  { files: ['scripts/jest/*.mjs', 'scripts/**/*.test.mjs'], languageOptions: { globals: globals.jest } },
  { rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true }] } },
  // Rules that need types are in .oxlintrc.json.
  {
    files: typescript,
    extends: [tseslint.configs.recommended],
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      'no-restricted-syntax': ['error', noBarrel],
    },
  },
  // Text of users, models and other sites must not make a regular expression backtrack.
  {
    files: ['contract/src/**', 'backend/src/**', 'frontend/src/**'],
    ignores: tests,
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': ['error', { ignorePartial: false }],
    },
  },
  { files: ['contract/src/index.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['backend/src/**'],
    rules: {
      'no-restricted-properties': ['error', onlyInEnv],
      'no-restricted-imports': ['error', { paths: [ownLengths, ownContext] }],
    },
  },
  { files: ['backend/src/config/env.ts'], rules: { 'no-restricted-properties': 'off' } },
  {
    files: ['backend/src/platform/system/async-context.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [ownLengths] }] },
  },
  {
    files: ['frontend/src/**'],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { globals: globals.browser },
    rules: {
      // The plugin's other rules serve the React Compiler, which we do not use.
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-globals': ['error', onlyInApiClient],
      'no-restricted-imports': ['error', { paths: [onlyInSocket] }],
      'no-restricted-syntax': ['error', noBarrel, ...noMarkup],
    },
  },
  {
    files: ['frontend/src/**'],
    ignores: [...tests, '**/fake-*', '**/*-fixtures.ts', 'frontend/src/texts/**', 'frontend/src/app/theme/**'],
    plugins: { texts: { rules: { literal: literalText } } },
    rules: { 'texts/literal': 'error' },
  },
  { files: ['frontend/src/app/api/api-client.ts'], rules: { 'no-restricted-globals': 'off' } },
  { files: ['frontend/src/app/socket/socket.ts'], rules: { 'no-restricted-imports': 'off' } },
  // Playwright requires a destructured first parameter of a fixture, even an empty one.
  { files: ['e2e/**'], rules: { 'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }] } },
  {
    files: tests,
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': 'off',
    },
  },
);
