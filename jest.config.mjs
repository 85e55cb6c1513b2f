import { bundledPackages } from './scripts/jest/bundle-packages.mjs';

/**
 * Four projects: `unit` (pure code of contract, backend, scripts and bench), `client` (pure code of the page), `web` (the page in
 * jsdom: its tests end in `.tsx`) and `integration` (the server over a real Postgres and a real Redis).
 * `node scripts/test.mjs unit|integration [jest arguments]` runs them.
 */
const swc = {
  swcrc: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx: true, decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};
const swcWithoutTsx = { ...swc, jsc: { ...swc.jsc, parser: { ...swc.jsc.parser, tsx: false } } };

const shared = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: { '\\.tsx$': ['@swc/jest', swc], '\\.ts$': ['@swc/jest', swcWithoutTsx] },
  moduleNameMapper: {
    '^@tanya/contract$': '<rootDir>/contract/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

const texts = '<rootDir>/frontend/src/texts/test-texts.ts';

const unit = {
  ...shared,
  displayName: 'unit',
  testRunner: '<rootDir>/scripts/jest/native-runner.mjs',
  testEnvironment: 'node',
  testMatch: [
    '<rootDir>/contract/src/**/*.test.ts',
    '<rootDir>/backend/src/**/*.test.ts',
    '<rootDir>/backend/test/release/*.test.ts',
    '<rootDir>/scripts/**/*.test.mjs',
    '<rootDir>/bench/**/*.test.mjs',
  ],
  testPathIgnorePatterns: ['/node_modules/', '\\.integration\\.test\\.ts$'],
};

const client = {
  ...unit,
  displayName: 'client',
  setupFilesAfterEnv: [texts],
  testMatch: ['<rootDir>/frontend/src/**/*.test.ts'],
};

const web = {
  ...shared,
  displayName: 'web',
  testRunner: '<rootDir>/scripts/jest/circus-runner.mjs',
  testEnvironment: 'jsdom',
  setupFilesAfterEnv: ['<rootDir>/scripts/jest/browser-parts.mjs', texts],
  testMatch: ['<rootDir>/frontend/src/**/*.test.tsx'],
  globalSetup: '<rootDir>/scripts/jest/bundle-packages.mjs',
  moduleNameMapper: {
    ...shared.moduleNameMapper,
    ...bundledPackages,
    '^@testing-library/react$': '<rootDir>/scripts/jest/testing-library.mjs',
    '\\.css$': '<rootDir>/scripts/jest/empty-module.mjs',
  },
};

const integration = {
  ...shared,
  displayName: 'integration',
  // Jest reads all files of its roots at the start. Sources are imported without it.
  roots: ['<rootDir>/backend/test'],
  testEnvironment: 'node',
  testRunner: '<rootDir>/scripts/jest/native-runner.mjs',
  testMatch: ['<rootDir>/backend/test/**/*.integration.test.ts'],
  globalSetup: '<rootDir>/backend/test/global-setup.mjs',
  globalTeardown: '<rootDir>/backend/test/global-teardown.mjs',
};

// Every wait in a test has a bound of 30 s at most, so a timeout of Jest means that a test hangs.
export default {
  projects: [unit, client, web, integration],
  testSequencer: '<rootDir>/scripts/jest/longest-first.mjs',
  testTimeout: 60_000,
  maxWorkers: 3,
};
