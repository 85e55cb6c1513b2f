import { setTimeout as sleep } from 'node:timers/promises';
import { figure } from '../figures.mjs';
import { startProduct } from '../servers.mjs';
import { textPdf } from '../text-pdf.mjs';

/** Adds PDFs to a project and waits until they can be searched. */
export async function run({ harness, upstream, quick, members, round }) {
  const { url, cookies } = await members(1, 'indexing');
  const server = await startProduct(harness, url, upstream);
  const origin = `http://127.0.0.1:${server.port}`;
  const call = async (path, { body, type } = {}) => {
    const headers = { cookie: cookies[0], ...(type && { 'Content-Type': type }) };
    const answer = await fetch(origin + path, { method: body ? 'POST' : 'GET', headers, body });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return answer.json();
  };
  try {
    const project = { body: JSON.stringify({ name: `Round ${round}` }), type: 'application/json' };
    const { id } = await call('/api/projects', project);
    const add = async (pages) => {
      const form = new FormData();
      form.set('file', new Blob([textPdf(pages)], { type: 'application/pdf' }), `${pages} pages.pdf`);
      const began = performance.now();
      await call(`/api/projects/${id}/files`, { body: form });
      for (;;) {
        const files = await call(`/api/projects/${id}/files`);
        if (files.some(({ state }) => state === 'failed')) throw new Error('a file was not read');
        if (files.every(({ state }) => state === 'ready')) return performance.now() - began;
        await sleep(20);
      }
    };
    // The first file starts the process that reads documents.
    await add(10);
    const pages = quick ? 200 : 1_000;
    return [figure('indexing of a text PDF', (pages / (await add(pages))) * 1000, 'pages/s', { atLeast: 50 })];
  } finally {
    await server.end('SIGKILL');
  }
}
