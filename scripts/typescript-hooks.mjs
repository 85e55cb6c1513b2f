import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const options = {
  swcrc: false,
  configFile: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'nodenext' },
};

/** Modules of tests have hooks and state of one test file. */
const ofTests = /\/backend\/test\//;

/**
 * Sources import each other by their built names, so `.js` is resolved to `.ts`, and the contract to its sources. The
 * query of a test file is passed on to the modules of tests that it imports, so that each test file has its own.
 */
export async function resolve(specifier, context, next) {
  const resolved = await next(...source(specifier, context));
  const query = context.parentURL && new URL(context.parentURL).search;
  return query && ofTests.test(resolved.url) ? { ...resolved, url: resolved.url + query } : resolved;
}

function source(specifier, context) {
  if (specifier === '@tanya/contract') {
    return [specifier, { ...context, conditions: [...context.conditions, '@tanya/source'] }];
  }
  if (/^\.{1,2}\/.*\.js$/.test(specifier) && isTypescript(context.parentURL)) {
    const file = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(fileURLToPath(file))) return [file.href, context];
  }
  return [specifier, context];
}

function isTypescript(url) {
  return url !== undefined && new URL(url).pathname.endsWith('.ts');
}

export async function load(url, context, next) {
  if (!isTypescript(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const { code } = await transform(await readFile(filename, 'utf8'), { ...options, filename });
  return { format: 'module', source: code, shortCircuit: true };
}
