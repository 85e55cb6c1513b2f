import { request } from 'node:http';
import { LIMITS } from '@tanya/contract';
import { MAX_DRAINED_BYTES } from '../../src/platform/http/drain-body.js';
import { errorOf } from '../harness/http-client.js';
import { openWebUi } from './export-fixtures.js';
import { importFile, importJson, statusOf, threadsOf, upload } from './imports-harness.js';
import { member, server } from './imports-server.js';

describe('the start of an import', () => {
  it('is refused to guests before the file is read', async () => {
    expect((await upload(await server.guest(), '[]')).status).toBe(401);
  });

  it('is refused while another import of the account runs, and in a race', async () => {
    const client = await member();
    const file = JSON.stringify(Array.from({ length: 40 }, (_, at) => openWebUi({ id: `r${at}`, title: `R${at}` })));
    const answers = await Promise.all([upload(client, file), upload(client, file)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
    expect(errorOf(await upload(client, '[]')).code).toBe('conflict');
    const { id } = answers.find(({ status }) => status === 202)!.body;
    expect((await client.delete(`/api/user/import/${id}`)).status).toBe(200);
    expect(await threadsOf(client)).toEqual([]);
    expect(await importJson(client, [openWebUi({ id: 'r1', title: 'R1' })])).toMatchObject({ imported: 1 });
    expect((await threadsOf(client)).map(({ title }) => title)).toEqual(['R1']);
  });

  it('is refused with an announced size above the limit', async () => {
    const client = await member();
    const headers = {
      Cookie: client.cookieHeader,
      'X-Forwarded-For': client.address,
      'Content-Type': 'multipart/form-data; boundary=x',
      'Content-Length': String(LIMITS.importBytes + 1024 * 1024),
    };
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(`${server.url}/api/user/import`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        call.destroy();
      });
      call.once('error', reject);
      // The server reads a part of a refused body before it answers.
      call.write(Buffer.alloc(MAX_DRAINED_BYTES + 1024));
    });
    expect(status).toBe(413);
  });

  it('needs exactly one file in the field "file"', async () => {
    const client = await member();
    const form = new FormData();
    form.append('other', new Blob(['[]']), 'x.json');
    expect((await client.send('POST', '/api/user/import', { raw: form })).status).toBe(400);
    expect((await client.post('/api/user/import', {})).status).toBe(415);
  });

  it('is limited to 20 a day', async () => {
    const client = await member();
    for (let count = 0; count < 20; count += 1) await importFile(client, '[]');
    const refused = errorOf(await upload(client, '[]'));
    expect(refused.code).toBe('rate_limited');
  });

  it('answers 404 for unknown and malformed ids', async () => {
    const client = await member();
    for (const id of ['x', '00000000-0000-0000-0000-000000000000', '__proto__']) {
      expect((await client.get(`/api/user/import/${id}`)).status).toBe(404);
      expect((await client.delete(`/api/user/import/${id}`)).status).toBe(404);
    }
    expect((await statusOf(client, 'x')).state).toBeUndefined();
  });
});
