import { curlExample } from './curl-examples.js';
import type { ExampleCall, ExampleContext } from './example-call.js';
import { javascriptExample } from './javascript-examples.js';
import { pythonExample } from './python-examples.js';

export { EXAMPLE_CALLS, EXAMPLE_PATHS, type ExampleCall, type ExampleContext } from './example-call.js';

export type ExampleLanguage = 'curl' | 'javascript' | 'python';

export const EXAMPLE_LANGUAGES: { value: ExampleLanguage; label: string }[] = [
  { value: 'curl', label: 'cURL' },
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
];

const WRITERS: Record<ExampleLanguage, (call: ExampleCall, context: ExampleContext) => string> = {
  curl: curlExample,
  javascript: javascriptExample,
  python: pythonExample,
};

/** A complete call of `/api/v1` for the API page, which a test runs as copied. */
export const exampleOf = (call: ExampleCall, language: ExampleLanguage, context: ExampleContext): string =>
  WRITERS[language](call, context);
