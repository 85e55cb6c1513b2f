import { register } from 'node:module';

/**
 * `node --import` of this file starts the suite on Node 20. It imports `globSync` of Node 22 for commands that no test runs.
 */
const FS = "export * from 'node:fs'; export const globSync = () => { throw new Error('Node 22 is needed'); };";
const HOOKS = `export const resolve = (name, context, next) =>
  name === 'fs' && context.parentURL.includes('/conformance/')
    ? { url: 'data:text/javascript,${encodeURIComponent(FS).replaceAll("'", '%27')}', shortCircuit: true }
    : next(name, context);`;

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
