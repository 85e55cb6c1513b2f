import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';

/**
 * `node scripts/prose.mjs [paths…]` checks the language of comments, log lines, test titles and documents. It is part of
 * `npm run lint`. Texts of the product itself (`contract/src/texts.ts`) and migrations are left alone.
 */
const CODE = /\.(ts|tsx|mjs|cjs)$/;
const DOCUMENT = /\.md$/;
const SKIPPED = /(^|\/)(dist|node_modules)\/|\.gen\.ts$|\/migrations\/|^contract\/src\/texts\.ts$|^docs\/texts\.md$/;

/** Words that hide the subject of a sentence, or make a person of a thing. */
const RIDDLES = [
  [
    /\b(whoever|whomever|nobody|somebody|anybody|everybody|no one|someone)\b/i,
    'name the subject: a client, a node, an admin',
  ],
  [/\b(those|the ones) who\b/i, 'name the subject: clients, admins, nodes'],
  [/\bwhom\b/i, 'name the person or make it the subject'],
  [/\bwhat (is|was|are|were) (there|kept|not|said|missed|known|shown)\b/i, 'name the thing: events, rows, text'],
  [/\b(keep|keeps|kept) (its|their|his) word\b/i, 'say which rule holds'],
  [/\b(hear|hears|hurts?|tells?|told)\b/i, 'things do not hear, hurt or tell: send, receive, report, break'],
];

/** A log line is `<subject> <what failed>; <consequence>`: lower case, no article first, no full stop. */
const LOG_LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
const LOG_LINE = /^(?!(an?|the|it|this|that|what|while|when|still|not|could|cannot|waiting)\b)[a-z][^.]*$/i;

const TEST_FUNCTIONS = /^(describe|it|test)$/;

/** @returns `[line, text, advice]` of each finding */
export function findingsOf(path, source) {
  if (DOCUMENT.test(path)) return documentFindings(source);
  return codeFindings(path, source);
}

function documentFindings(source) {
  const prose = source.replace(/^```[^]*?^```/gm, (block) => block.replace(/[^\n]/g, ' '));
  return prose
    .split('\n')
    .flatMap((text, index) => riddlesIn(withoutQuotes(text)).map((advice) => [index + 1, text.trim(), advice]));
}

/** What stands in backquotes or quotation marks is a name or somebody's words. */
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
  if (message === undefined) return null;
  if (ts.isStringLiteralLike(message)) return { value: message.text, at: message.getStart() };
  if (ts.isTemplateExpression(message)) {
    const parts = message.templateSpans.map((span) => `x${span.literal.text}`);
    return { value: message.head.text + parts.join(''), at: message.getStart() };
  }
  return null;
}

/** `it` of `it(…)`, `it.each(…)(…)` and `it.each\`…\`(…)`. */
function rootName(expression) {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) || ts.isCallExpression(expression))
    return rootName(expression.expression);
  if (ts.isTaggedTemplateExpression(expression)) return rootName(expression.tag);
  return '';
}

/** Tracked and new files below the given paths, without what git ignores. */
export function proseFiles(paths = ['.']) {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...paths], {
    encoding: 'utf8',
  });
  return [...new Set(listed.split('\n'))].filter(
    (path) => (CODE.test(path) || DOCUMENT.test(path)) && !SKIPPED.test(path),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  let count = 0;
  for (const path of proseFiles(process.argv.length > 2 ? process.argv.slice(2) : undefined)) {
    let source;
    try {
      source = readFileSync(path, 'utf8');
    } catch {
      continue;
    }
    for (const [line, text, advice] of findingsOf(path, source)) {
      count += 1;
      console.error(`${path}:${line}: ${advice}\n    ${text}`);
    }
  }
  if (count > 0) console.error(`\n${count} sentences to rewrite; docs/glossary.md has the words.`);
  process.exitCode = count > 0 ? 1 : 0;
}
