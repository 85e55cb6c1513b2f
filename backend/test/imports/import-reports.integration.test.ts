import type { ImportStatus } from '@tanya/contract';
import { errorOf } from '../harness/http-client.js';
import { PASSWORD } from '../harness/test-app.js';
import { chatGpt, openWebUi } from './export-fixtures.js';
import { importJson, reportOf } from './imports-harness.js';
import { member, server } from './imports-server.js';

describe('the report of an import', () => {
  it('has a row for each conversation, in pages, and the reasons of failures', async () => {
    const client = await member();
    const empty = { ...chatGpt({ id: 'empty', title: 'Nothing' }), mapping: {} };
    const status = await importJson(client, [
      chatGpt({ id: 'one', title: 'One' }),
      empty,
      'no conversation',
      chatGpt({ id: 'two', title: 'Two' }),
      chatGpt({ id: 'one', title: 'One' }),
    ]);
    expect(status).toMatchObject({ state: 'done', total: 5, imported: 2, skipped: 1 });
    expect(status.failures).toEqual([
      { title: 'Nothing', reason: 'The conversation has no messages.' },
      { title: '', reason: 'This is not a conversation.' },
    ]);
    const first = await client.get<{ outcome: string; threadId: number | null }[]>(
      `/api/user/import/${status.id}/conversations?limit=2`,
    );
    expect(first.body.map(({ outcome }) => outcome)).toEqual(['imported', 'failed']);
    expect(first.body[0]?.threadId).toEqual(expect.any(Number));
    const cursor = first.headers.get('x-next-cursor')!;
    const rest = await reportOf(client, status.id, `?before=${cursor}`);
    expect(rest.map(({ outcome }) => outcome)).toEqual(['failed', 'imported', 'skipped']);
    expect(errorOf(await client.get(`/api/user/import/${status.id}/conversations?before=x`)).code).toBe('invalid');
  });

  it('is part of the account export and is deleted with the account', async () => {
    const { client, user } = await server.member();
    const { id } = await importJson(client, [openWebUi({ id: 'own', title: 'Own' })]);
    const { body } = await client.get<{ imports: ImportStatus[] }>('/api/user/export');
    expect(body.imports.map((entry) => entry.id)).toEqual([id]);
    await client.delete('/api/user', { password: PASSWORD });
    for (const table of ['import', 'imported_thread']) {
      expect(await server.dataSource.query(`select 1 from ${table} where user_id = $1`, [user.id])).toEqual([]);
    }
  });
});
