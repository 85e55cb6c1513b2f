import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * `node scripts/checks/prose.mjs [paths…]` checks the language of comments, log lines, error sentences, test titles and
 * documents, and of comments in `.env.example` and YAML. Texts of the product (`contract/src/texts.ts`) and migrations
 * are exempt.
 */
const CODE = /\.(ts|tsx|mjs|cjs)$/;
const DOCUMENT = /\.md$/;
const HASH_COMMENTED = /\.ya?ml$|(^|\/)\.env\.example$/;
const SKIPPED =
  /(^|\/)(dist|node_modules)\/|\.gen\.ts$|\/migrations\/|^contract\/src\/(admin-)?texts\.ts$|^docs\/texts\.md$|^scripts\/checks\/prose(\.test)?\.mjs$/;
const LINE_LENGTH = 100;

/** Words that hide the subject of a sentence, or give a thing the acts of a person. */
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
  // A question ends with a question mark; `#` before it is a heading.
  [/(^|[.:*/|>-]\s+)What\s(?![^.|]*\?)/, 'begin with the thing: the text, the rows, the error'],
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

const TEST_FUNCTIONS = /^(describe|it|test)$/;

/** @returns `[line, text, advice]` of each finding */
export function findingsOf(path, source) {
  if (DOCUMENT.test(path)) return documentFindings(source);
  if (HASH_COMMENTED.test(path)) return lineFindings(source, (text) => riddlesIn(withoutQuotes(hashComment(text))));
  return codeFindings(path, source);
}

function documentFindings(source) {
  const prose = source.replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
  return lineFindings(prose, (text) => [
    ...riddlesIn(withoutQuotes(text)),
    ...(isTooLong(text) ? [`wrap at ${LINE_LENGTH} characters`] : []),
  ]);
}

const lineFindings = (source, adviceOn) =>
  source.split('\n').flatMap((text, index) => adviceOn(text).map((each) => [index + 1, text.trim(), each]));

/** The comment of a line, without `#`; a variable that is commented out has no space after it. */
const hashComment = (text) => /(?:^|\s)#\s+(.*)/.exec(text)?.[1] ?? '';

/** Rows of tables, indented code and long links cannot be wrapped. */
function isTooLong(text) {
  return text.length > LINE_LENGTH && !/^(\|| {4})/.test(text) && /\s\S/.test(text.slice(LINE_LENGTH / 2, LINE_LENGTH));
}

/** Names in backquotes and quotations are exempt. */
const withoutQuotes = (text) => text.replace(/`[^`]*`|"[^"]*"|“[^”]*”/g, '');

const riddlesIn = (text) =>
  RIDDLES.flatMap(([word, advice]) => (word.test(text) ? [`"${word.exec(text)[0]}": ${advice}`] : []));

function codeFindings(path, source) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : path.endsWith('ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true, kind);
  const found = [];
  const report = (position, text, advice) =>
    found.push([file.getLineAndCharacterOfPosition(position).line + 1, text.replace(/\s+/g, ' ').trim(), advice]);
  const seen = new Set();
  const comments = (ranges) => {
    for (const { pos, end } of ranges ?? []) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const text = source.slice(pos, end);
      for (const advice of riddlesIn(withoutQuotes(text))) report(pos, text.slice(0, 100), advice);
    }
  };
  const visit = (node) => {
    comments(ts.getLeadingCommentRanges(source, node.getFullStart()));
    comments(ts.getTrailingCommentRanges(source, node.getEnd()));
    if (ts.isCallExpression(node)) checkCall(node, report);
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) checkSentences(node, report);
    ts.forEachChild(node, visit);
  };
  visit(file);
  comments(ts.getLeadingCommentRanges(source, file.endOfFileToken.getFullStart()));
  return found;
}

function checkCall(call, report) {
  const text = lastText(call);
  if (isLogCall(call) && text !== null) {
    for (const advice of riddlesIn(text.value)) report(text.at, text.value, advice);
    if (!LOG_LINE.test(text.value))
      report(text.at, text.value, 'a log line is "<subject> <what failed>; <consequence>"');
  }
  if (/^console\.(log|warn|error)$/.test(call.expression.getText())) checkSentences(call, report);
  const title = call.arguments[0];
  if (title !== undefined && ts.isStringLiteralLike(title) && TEST_FUNCTIONS.test(rootName(call.expression))) {
    for (const advice of riddlesIn(title.text)) report(title.getStart(), title.text, advice);
  }
}

function isLogCall({ expression }) {
  if (!ts.isPropertyAccessExpression(expression) || !LOG_LEVELS.has(expression.name.text)) return false;
  return /(^|\.)(logger|log)$/.test(expression.expression.getText());
}

function lastText(call) {
  const message = call.arguments.at(-1);
  return message === undefined ? null : textOf(message);
}

function checkSentences({ arguments: sentences }, report) {
  for (const text of (sentences ?? []).map(textOf)) {
    for (const advice of riddlesIn(withoutQuotes(text?.value ?? ''))) report(text.at, text.value, advice);
  }
}

function textOf(expression) {
  if (ts.isStringLiteralLike(expression)) return { value: expression.text, at: expression.getStart() };
  if (!ts.isTemplateExpression(expression)) return null;
  const parts = expression.templateSpans.map((span) => `x${span.literal.text}`);
  return { value: expression.head.text + parts.join(''), at: expression.getStart() };
}

/** `it` of `it(…)`, `it.each(…)(…)` and `it.each\`…\`(…)`. */
function rootName(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return rootName(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootName(expression.tag);
  return '';
}

/** Tracked and untracked files below the given paths; files that git ignores are left out. */
export function proseFiles(paths = ['.']) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n'))].filter(
    (path) => [CODE, DOCUMENT, HASH_COMMENTED].some((kind) => kind.test(path)) && !SKIPPED.test(path),
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
  if (count > 0) console.error(`\n${count} sentences to rewrite; docs/glossary.md has the words.`);
  return count;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = checkProse(process.argv.length > 2 ? process.argv.slice(2) : undefined) > 0 ? 1 : 0;
}
