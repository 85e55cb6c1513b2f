import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

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
/** Where text could become markup. */
const noMarkup = [
  { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text is never markup: render elements.' },
  {
    selector: 'AssignmentExpression[left.property.name=/^(innerHTML|outerHTML|srcdoc)$/]',
    message: 'Text is never markup: render elements.',
  },
];
/** The router is told of a redirect or a missing page by throwing it. */
const routerSignals = { from: 'package', package: '@tanstack/router-core', name: ['NotFoundError', 'Redirect'] };
const noBarrel = {
  selector: 'ExportAllDeclaration',
  message: 'No barrels: import from the file that has it.',
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
  // What runs in a page is written among what runs in Node.
  { files: ['bench/parts/page-*.mjs'], languageOptions: { globals: globals.browser } },
  { files: ['frontend/public/**/*.js'], languageOptions: { globals: globals.browser } },
  { rules: { 'no-unused-vars': ['error', { ignoreRestSiblings: true }] } },
  {
    files: typescript,
    ignores: ['frontend/vite.config.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // Promises in event handlers and void callbacks are how React and Node are written; floating ones stay forbidden.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-namespace': ['error', { allowDeclarations: true }],
      '@typescript-eslint/only-throw-error': ['error', { allow: [routerSignals] }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      'no-restricted-syntax': ['error', noBarrel],
    },
  },
  { files: ['frontend/vite.config.ts'], extends: [tseslint.configs.recommended] },
  { files: ['contract/src/index.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['backend/src/**'],
    rules: {
      'no-restricted-properties': ['error', onlyInEnv],
      'no-restricted-imports': ['error', { paths: [ownLengths] }],
    },
  },
  { files: ['backend/src/config/env.ts'], rules: { 'no-restricted-properties': 'off' } },
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
  { files: ['frontend/src/app/api/api-client.ts'], rules: { 'no-restricted-globals': 'off' } },
  { files: ['frontend/src/app/socket/socket.ts'], rules: { 'no-restricted-imports': 'off' } },
  // Playwright wants a fixture's first parameter destructured, even when nothing is taken from it.
  { files: ['e2e/**'], rules: { 'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }] } },
  {
    files: tests,
    rules: {
      'no-restricted-properties': 'off',
      'no-restricted-globals': 'off',
      'no-restricted-imports': 'off',
      // What a test reads from the wire is unknown until its expectations say what it is.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
