/** URL of a compiled module. Child processes run compiled code; tests import the sources, whose compiled files are in `dist`. */
export const compiledModule = (module: URL): URL =>
  import.meta.url.endsWith('.ts') ? new URL(module.href.replace('/backend/src/', '/backend/dist/')) : module;
