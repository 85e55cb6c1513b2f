import { setTimeout as sleep } from 'node:timers/promises';
import { isOpen, type Message, type MessageStatus } from '@tanya/contract';
import type { Answer } from '../../harness/http-client.js';
import { violationOfError } from './error-check.js';
import { boundOf } from '../pace.js';
import type { Page, Send } from '../page/page.js';
import { type Scenario, sha256 } from '../scenario.js';

/** Time after the end of an answer until its provider connection is closed, ms. */
const CLOSING = 1_000;

/** Sends that are audited at once. */
const AUDITED_AT_ONCE = 8;

/** Time for which a 503 is retried, ms. */
const BUSY = 5_000;

interface Row {
  id: string;
  client_message_id: string;
  owner: string;
  status: MessageStatus;
  thread_id: number;
  question: string | null;
  answer: string | null;
  answers: number;
  questions: number;
}

const ROWS = `
with asked as (select content, count(*) as count from message where is_user_message group by content)
select g.id, g.owner, g.status, g.thread_id, g.client_message_id, q.content as question, m.content as answer,
  (select count(*) from message where generation_id = g.id)::int as answers,
  coalesce(asked.count, 0)::int as questions
from generation g left join message q on q.id = g.user_message_id left join message m on m.id = g.message_id
left join asked on asked.content = q.content
where g.client_message_id = any($1)`;

/** The owner of a generation in the trash ends with the id of its thread: `deleted:user:12:345`. */
const FOREIGN = `select id, owner from generation
where id = any($1::uuid[]) and regexp_replace(owner, '^deleted:(.*):\\d+$', '\\1') <> all($2)`;

const textOf = (content: string): string => {
  if (!content.startsWith('{')) return content;
  return (JSON.parse(content) as { text: string }).text;
};

/** Verifies the invariants I1, I2, I4, I7 to I11 of one injection after all its runs have ended. */
export async function auditScenario(scenario: Scenario): Promise<void> {
  const rows = await scenario.harness.database.query<Row>(ROWS, [scenario.sends.map((send) => send.clientMessageId)]);
  for (let at = 0; at < scenario.sends.length; at += AUDITED_AT_ONCE) {
    const some = scenario.sends.slice(at, at + AUDITED_AT_ONCE);
    await Promise.all(some.map((send) => auditSend(scenario, send, rows)));
  }
  for (const page of new Set(scenario.pages)) await auditPage(scenario, page);
  for (const mark of scenario.toolMarks) {
    const runs = scenario.harness.runsOf(mark);
    if (runs > 1) scenario.violation(`I11: a call of a tool ran ${runs} times`);
  }
}

/** @param rows generations of all sends; another owner may have used the same id */
async function auditSend(scenario: Scenario, send: Send, rows: Row[]): Promise<void> {
  const isOwn = (row: Row) => row.client_message_id === send.clientMessageId && send.user.owners.includes(row.owner);
  const own = rows.filter(isOwn);
  if (own.length > 1) scenario.violation(`I2: ${own.length} generations for one message`);
  await auditCalls(scenario, send);
  if (scenario.isExcluded(send)) return;
  if (send.started !== null) return auditAccepted(scenario, send, own[0]);
  if (send.refusal !== null && own.length > 0) scenario.violation(`I2: refused with ${send.refusal.code}, and stored`);
}

async function auditAccepted(scenario: Scenario, send: Send, row: Row | undefined): Promise<void> {
  const shown = scenario.answerOf(send);
  if (row === undefined) return scenario.violation(`I1: acknowledged but not stored: ${send.clientMessageId}`);
  if (row.id !== send.started?.generationId) scenario.violation('I2: the ack names another generation');
  if (row.thread_id === null || shown.status === 'deleted') return;
  if (row.question !== send.text) scenario.violation(`I1: stored as ${row.question}, sent as ${send.text}`);
  if (row.questions > 1 && !scenario.isRegenerated(send))
    scenario.violation(`I2: ${row.questions} user messages for one send`);
  if (row.answers !== 1) scenario.violation(`I2: ${row.answers} answers of one generation`);
  if (isOpen(row.status)) return scenario.violation(`I3: ${row.id} is still ${row.status}`);
  await auditText(scenario, send, row);
}

/** I4: the shown, the reloaded and the stored text equal the text that the provider wrote. */
async function auditText(scenario: Scenario, send: Send, row: Row): Promise<void> {
  const shown = scenario.answerOf(send);
  const answer = await readThread(scenario, send, row.thread_id);
  if (answer === null) return;
  const read = (answer.body as Message[]).find((message) => message.generationId === row.id);
  const stored = sha256(row.answer ?? '');
  // A reload may show another version of the answer.
  if (read === undefined && !scenario.isRegenerated(send)) scenario.violation(`I4: a reload does not show ${row.id}`);
  if (read !== undefined && sha256(read.content) !== stored)
    scenario.violation('I4: a reload shows another text than is stored');
  if (!shown.isClosed) return scenario.violation(`I4: the page still waits for ${row.id}, which is ${row.status}`);
  if (shown.final?.status !== row.status)
    scenario.violation(`I4: shown as ${shown.final?.status}, stored as ${row.status}`);
  if (sha256(shown.final?.content ?? '') !== stored)
    scenario.violation('I4: the page shows another text than is stored');
  if (send.expected === null) return;
  const text = textOf(row.answer ?? '');
  if (row.status === 'complete' ? text !== send.expected : !send.expected.startsWith(text))
    scenario.violation(`I4: not what the model wrote (${row.status}): …${text.slice(-60)}`);
  if (row.status === 'complete' && shown.isWhole && shown.text !== text)
    scenario.violation('I4: the events add up to another text than is stored');
}

/** Reads a thread as a reload does; a 503 is retried until BUSY. */
async function readThread(scenario: Scenario, send: Send, threadId: number): Promise<Answer<unknown> | null> {
  for (const deadline = performance.now() + boundOf(BUSY); ; await sleep(200)) {
    await send.user.signIn();
    const answer = await send.user.browser.get(`/api/chat/threads/${threadId}/messages?limit=200`);
    if (answer.status === 200) return answer;
    const fault = violationOfError(answer.body);
    if (fault === null && answer.status === 503 && performance.now() < deadline) continue;
    scenario.violation(fault ?? `I4: the thread can't be read: ${answer.status}`);
    return null;
  }
}

/** I2 and I9 on the provider's side. A call whose connection broke before the first token may be retried. */
async function auditCalls(scenario: Scenario, send: Send): Promise<void> {
  const calls = scenario.harness.callsFor(send.text).filter((call) => call.route === 'chat' && call.status === 200);
  await scenario.until(
    () => calls.every((call) => call.closedAt !== null),
    'I9: the end of a call of the model',
    CLOSING,
  );
  const whole = calls.filter((call) => call.finished);
  const isParallel = calls.some(
    (call, index) => index > 0 && call.startedAt < (calls[index - 1]!.closedAt ?? Infinity),
  );
  const isRepeated = whole.length > 1 && !scenario.hasSteps(send);
  if ((isRepeated || isParallel) && !scenario.isRegenerated(send))
    scenario.violation(`I2: ${calls.length} billed calls for one message, ${whole.length} of them whole`);
}

/** I7, I8 and I10, as observed by a page. */
async function auditPage(scenario: Scenario, page: Page): Promise<void> {
  for (const violation of page.violations) scenario.violation(violation);
  const foreign = await scenario.harness.database.query(FOREIGN, [[...page.answers.keys()], page.user.owners]);
  if (foreign.length > 0) scenario.violation(`I8: events of another user: ${JSON.stringify(foreign.slice(0, 2))}`);
}
