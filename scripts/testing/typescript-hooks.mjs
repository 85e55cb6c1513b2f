import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const options = (tsx) => ({
  swcrc: false,
  configFile: false,
  sourceMaps: 'inline',
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', tsx, decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, react: { runtime: 'automatic' } },
    keepClassNames: true,
  },
  module: { type: 'nodenext' },
});

/** Modules with hooks or state of one test file: those of tests, and those of the page with its stores. */
const ofOneFile = /\/(backend\/test|frontend\/src)\//;

/**
 * Sources of the server import each other by their built names, so `.js` is resolved to `.ts`; those of the page omit the
 * ending. The contract is resolved to its sources. The query of a test file is passed on to the modules that it imports and
 * that each test file has for itself.
 */
export async function resolve(specifier, context, next) {
  const resolved = await next(...source(specifier, context));
  const query = context.parentURL && new URL(context.parentURL).search;
  return query && ofOneFile.test(resolved.url) ? { ...resolved, url: resolved.url + query } : resolved;
}

function source(specifier, context) {
  if (specifier === '@tanya/contract') {
    return [specifier, { ...context, conditions: [...context.conditions, '@tanya/source'] }];
  }
  if (/^\.{1,2}\//.test(specifier) && isTypescript(context.parentURL)) {
    const path = specifier.replace(/\.js$/, '');
    for (const ending of ['.ts', '.tsx']) {
      const file = new URL(path + ending, context.parentURL);
      if (existsSync(fileURLToPath(file))) return [file.href, context];
    }
  }
  return [specifier, context];
}

function isTypescript(url) {
  return url !== undefined && /\.tsx?$/.test(new URL(url).pathname);
}

/** JavaScript by path; several test files of a process import the same modules. */
const transformed = new Map();

export async function load(url, context, next) {
  if (!isTypescript(url)) return next(url, context);
  const filename = fileURLToPath(url);
  const source = transformed.get(filename) ?? (await toJavascript(filename));
  transformed.set(filename, source);
  return { format: 'module', source, shortCircuit: true };
}

async function toJavascript(filename) {
  const { code } = await transform(await readFile(filename, 'utf8'), { ...options(filename.endsWith('x')), filename });
  return code;
}
