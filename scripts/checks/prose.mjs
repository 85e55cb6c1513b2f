import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * `node scripts/checks/prose.mjs [paths…]` checks log lines, and the length of lines in documents. Migrations are exempt.
 */
const CODE = /\.(ts|tsx|mjs|cjs)$/;
const DOCUMENT = /\.md$/;
const SKIPPED = /(^|\/)(dist|node_modules)\/|\.gen\.ts$|\/migrations\/|^scripts\/checks\/prose(\.test)?\.mjs$/;
const LINE_LENGTH = 100;

/** Words that hide the subject of a log line, or give a thing the acts of a person. */
const RIDDLES = [
  [
    /\b(whoever|whomever|nobody|somebody|anybody|everybody|no one|someone|anyone|everyone)\b/i,
    'name the subject: a client, a node, an admin',
  ],
  [/\b(those|the ones) who\b/i, 'name the subject: clients, admins, nodes'],
  [/\bwhom\b/i, 'name the person or make it the subject'],
  [
    /\bwhat (is|was|are|were) (there|kept|not|said|missed|known|shown)\b|\bwhat (comes|came|goes|went|stands|stood)\b/i,
    'name the thing: events, rows, text',
  ],
  [/\b(keep|keeps|kept) (its|their|his) word\b/i, 'say which rule holds'],
  [
    /\b(hear|hears|heard|hurts?|tells?|told|knows?|knew|wants?|believes?|forgets?|remembers?|learns?|cares)\b/i,
    'a thing does not hear, tell, know or want: send, receive, report, store, need, fail',
  ],
  [/\bso many\b/i, 'give the number or name the limit'],
  [/\b(there|that|which) (is|are|was|were) none\b/i, 'name the thing that is missing or invalid'],
  [/\b(says? nothing|without a word|in vain|gives? way|for as long as)\b/i, 'say what happens'],
];

/** A log line is `<subject> <what failed>; <consequence>`: lower case, no article first, no full stop. */
const LOG_LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const LOG_LINE = /^(?!(an?|the|it|this|that|what|while|when|still|not|could|cannot|waiting)\b)[a-z][^.]*$/i;

/** @returns `[line, text, advice]` of each finding */
export const findingsOf = (path, source) => (DOCUMENT.test(path) ? longLines(source) : logLines(path, source));

function longLines(source) {
  const prose = source.replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
  return prose
    .split('\n')
    .flatMap((text, index) => (isTooLong(text) ? [[index + 1, text.trim(), `wrap at ${LINE_LENGTH} characters`]] : []));
}

/** Rows of tables, indented code and long links cannot be wrapped. */
function isTooLong(text) {
  return text.length > LINE_LENGTH && !/^(\|| {4})/.test(text) && /\s\S/.test(text.slice(LINE_LENGTH / 2, LINE_LENGTH));
}

function logLines(path, source) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : path.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const found = [];
  const visit = (node) => {
    const text = ts.isCallExpression(node) && isLogCall(node) ? textOf(node.arguments.at(-1)) : null;
    if (text !== null) {
      const { line } = file.getLineAndCharacterOfPosition(text.at);
      for (const advice of adviceOn(text.value)) found.push([line + 1, text.value, advice]);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const adviceOn = (line) => [
  ...RIDDLES.flatMap(([word, advice]) => (word.test(line) ? [`"${word.exec(line)[0]}": ${advice}`] : [])),
  ...(LOG_LINE.test(line) ? [] : ['a log line is "<subject> <what failed>; <consequence>"']),
];

function isLogCall({ expression }) {
  if (!ts.isPropertyAccessExpression(expression) || !LOG_LEVELS.has(expression.name.text)) return false;
  return /(^|\.)(logger|log)$/.test(expression.expression.getText());
}

function textOf(expression) {
  if (expression === undefined) return null;
  if (ts.isStringLiteralLike(expression)) return { value: expression.text, at: expression.getStart() };
  if (!ts.isTemplateExpression(expression)) return null;
  const parts = expression.templateSpans.map((span) => `x${span.literal.text}`);
  return { value: expression.head.text + parts.join(''), at: expression.getStart() };
}

/** Tracked and untracked files below the given paths; files that git ignores are left out. */
export function proseFiles(paths = ['.']) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n'))].filter(
    (path) => (CODE.test(path) || DOCUMENT.test(path)) && !SKIPPED.test(path),
  );
}

/** Prints each finding and returns their number. A listed file that is deleted in the working tree is left out. */
export function checkProse(paths) {
  let count = 0;
  for (const path of proseFiles(paths).filter((each) => existsSync(each))) {
    for (const [line, text, advice] of findingsOf(path, readFileSync(path, 'utf8'))) {
      count += 1;
      console.error(`${path}:${line}: ${advice}\n    ${text}`);
    }
  }
  if (count > 0) console.error(`\n${count} lines to rewrite; docs/glossary.md has the words.`);
  return count;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = checkProse(process.argv.length > 2 ? process.argv.slice(2) : undefined) > 0 ? 1 : 0;
}
