import { figure, short } from '../figures.mjs';
import { Histogram } from '../load/histogram.mjs';
import { seedThreads } from '../seed.mjs';
import { startProduct } from '../servers.mjs';

const SIZES = [100, 10_000, 1_000_000];

/** The same reads over few rows and over very many; `--rows N` ends the series earlier. */
export async function run({ ground, upstream, quick, members, rows }) {
  const most = rows ?? (quick ? 10_000 : 1_000_000);
  const times = new Map();
  for (const size of SIZES.filter((each) => each <= most)) {
    const { url, cookies } = await members(100, `lists_${size}`);
    await seedThreads(ground, url, { threads: size, first: Math.ceil(size / 2), users: 100 });
    const server = await startProduct(ground, url, upstream);
    for (const path of ['/api/chat/threads', '/api/chat/threads/1/messages', '/api/user/quota']) {
      const median = await medianOf(`http://127.0.0.1:${server.port}${path}`, cookies[0], quick ? 150 : 400);
      times.set(path, [...(times.get(path) ?? []), [size, median]]);
    }
    await server.end('SIGKILL');
  }
  return [...times].flatMap(([path, series]) => {
    const base = series.find(([size]) => size === 10_000)[1];
    const [largest, last] = series.at(-1);
    return [
      ...series.map(([size, median]) => figure(`GET ${path}, ${size.toLocaleString('en')} threads, p50`, median, 'ms')),
      figure(`GET ${path}, ${short(largest)} threads / 10,000`, last / base, '×', { atMost: 1.2 }),
    ];
  });
}

async function medianOf(url, cookie, times) {
  const histogram = new Histogram();
  for (let index = 0; index < times + 30; index += 1) {
    const from = performance.now();
    const answer = await fetch(url, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    if (index >= 30) histogram.add((performance.now() - from) * 1000);
  }
  return histogram.quantile(0.5);
}
