import type { QueryRunner } from 'typeorm';

const TOOLS = ['search_project', 'open_section'];

interface Call {
  type?: unknown;
  tool?: unknown;
  args?: { query?: unknown } | null;
  error?: unknown;
}

/** Links that were made before name no files of a project: neither the arguments nor the errors of its tools, as new ones. */
export class SharedProjectCalls1766360130000 {
  name = 'SharedProjectCalls1766360130000';

  async up(runner: QueryRunner): Promise<void> {
    const links = (await runner.query(
      `select id from share where messages ~ '"tool":"(search_project|open_section)"'`,
    )) as { id: string }[];
    for (const { id } of links) {
      const [row] = (await runner.query('select messages from share where id = $1', [id])) as [{ messages: string }];
      const messages = JSON.stringify(JSON.parse(row.messages, (_key, value: unknown) => withoutNames(value)));
      await runner.query('update share set messages = $2, characters = $3 where id = $1', [
        id,
        messages,
        messages.length,
      ]);
    }
  }
}

function withoutNames(value: unknown): unknown {
  const { type, tool, args, error, ...call } = (value ?? {}) as Call;
  if (type !== 'tool' || !TOOLS.includes(tool as string)) return value;
  return { ...call, type, tool, args: args?.query === undefined ? {} : { query: args.query } };
}
