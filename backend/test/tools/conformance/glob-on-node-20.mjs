import { register } from 'node:module';

/** `node --import` of this file lets the suite start on Node 20: it imports `globSync` of Node 22 for commands that no test uses. */
const fs = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = () => [];`;
const hooks = `export const resolve = (name, context, next) => (name === 'fs' && context.parentURL.includes('conformance')
  ? { url: 'data:text/javascript,' + encodeURIComponent(${JSON.stringify(fs)}), shortCircuit: true } : next(name, context));`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
