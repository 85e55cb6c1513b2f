import type { Alert, AlertKind } from '@tanya/contract';

type Details = Alert['details'];

const SENTENCES: Record<AlertKind, (details: Details) => string> = {
  budget_near: ({ limitUsd }) => `80 % of the installation's budget of $${text(limitUsd)} is spent.`,
  budget_spent: ({ limitUsd }) => `The installation's budget of $${text(limitUsd)} is spent. Answers are refused.`,
  connection_failing: ({ connection, since }) =>
    `The connection "${text(connection)}" has not given an answer since ${text(since)}.`,
  connection_recovered: ({ connection }) => `The connection "${text(connection)}" answers again.`,
  registrations_waiting: ({ count }) =>
    `${count === 1 ? '1 account waits' : `${text(count)} accounts wait`} for approval.`,
  tools_changed: ({ server, tools }) =>
    `The tool server "${text(server)}" has changed tools, which wait for a review: ${text(tools)}.`,
  backup_failed: () => 'A backup failed. Its output says why.',
  retention_failed: () => 'Old chats could not be deleted. The log says why.',
  test: () => 'This is a test. Alerts arrive here.',
};

const text = (value: Details[string] | undefined): string => (Array.isArray(value) ? value.join(', ') : String(value));

export const alertText = ({ kind, details }: Pick<Alert, 'kind' | 'details'>): string => SENTENCES[kind](details);
