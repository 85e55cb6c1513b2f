import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FrameLocator, Page } from '@playwright/test';
import type { ScriptedUpstream } from '../../backend/test/harness/scripted-upstream.js';
import { expectAccessible } from '../accessibility.js';
import type { ChatScreen } from '../chat-screen.js';
import { expect, test } from '../journey.js';

// The browser logs what the policies of the frame refuse, and reports requests that they refuse before they are sent.
test.use({
  provider: 'upstream',
  expectedErrors: [/Content Security Policy|sandbox|Blocked|Refused|Failed to|ERR_|request left the product/i],
});

async function answer(chat: ChatScreen, upstream: ScriptedUpstream, language: string, code: string): Promise<void> {
  const text = `Here it is:\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
  upstream.script({ steps: [{ text }, { finish: 'stop' }, { done: true }] });
  await chat.send('Make a page');
  await chat.answerEnds();
}

async function openPreview(page: Page, chat: ChatScreen): Promise<FrameLocator> {
  await chat.newestAnswer.getByRole('button', { name: 'Open the preview' }).click();
  await expect(page.getByRole('dialog', { name: 'Preview' })).toBeVisible();
  return page.frameLocator('iframe[title=Preview]');
}

const COUNTER = '<button onclick="this.textContent = Number(this.textContent) + 1">0</button>';

test('HTML runs beside its code after a click, starts again and closes', async ({ chat, page, upstream }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await chat.open();
  await answer(chat, upstream, 'html', COUNTER);
  expect(await page.locator('iframe').count()).toBe(0);
  const frame = await openPreview(page, chat);
  const button = frame.getByRole('button');
  await button.click();
  await expect(button).toHaveText('1');
  // The code is beside it.
  await expect(chat.newestAnswer.locator('pre')).toBeInViewport();
  const panel = page.getByRole('dialog', { name: 'Preview' });
  const [code, box] = [await chat.newestAnswer.boundingBox(), await panel.boundingBox()];
  expect(code!.x + code!.width).toBeLessThanOrEqual(box!.x + 1);
  await expectAccessible(page, 'a preview beside its code');
  await panel.getByRole('button', { name: 'Start again' }).click();
  await expect(button).toHaveText('0');
  await panel.getByRole('button', { name: 'Full width' }).click();
  expect((await panel.boundingBox())!.width).toBe(1440);
  await panel.getByRole('tab', { name: 'Code' }).click();
  await expect(panel.getByText('onclick')).toBeVisible();
  await panel.getByRole('tab', { name: 'Result' }).click();
  await button.click();
  await expect(button).toHaveText('1');
  // Also from within the frame.
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(chat.newestAnswer.getByRole('button', { name: 'Open the preview' })).toBeFocused();
});

test('a phone shows the whole screen with a tab for the code, and closes it with the back button', async ({
  chat,
  page,
  upstream,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await chat.open();
  await answer(
    chat,
    upstream,
    'svg',
    '<svg viewBox="0 0 9 9"><title>A circle</title><circle r="4" cx="4" cy="4"/></svg>',
  );
  const frame = await openPreview(page, chat);
  await expect(frame.locator('circle')).toBeVisible();
  const panel = page.getByRole('dialog', { name: 'Preview' });
  expect((await panel.boundingBox())!.width).toBe(390);
  await expectAccessible(page, 'a preview on a phone');
  await panel.getByRole('tab', { name: 'Result' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(panel.getByText('<title>A circle</title>')).toBeVisible();
  await page.goBack();
  await expect(panel).toBeHidden();
  await expect(chat.newestAnswer).toBeVisible();
});

test('a diagram opens in it, and a regenerated answer takes its place', async ({ chat, page, upstream }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await chat.open();
  await answer(chat, upstream, 'mermaid', 'graph TD; A-->B;');
  const frame = await openPreview(page, chat);
  await expect(frame.locator('img')).toBeVisible();
  await page.keyboard.press('Escape');

  await answer(chat, upstream, 'html', '<p>First version</p>');
  await openPreview(page, chat);
  await expect(frame.getByText('First version')).toBeVisible();
  const text = '```html\n<p>Second version</p>\n```\n';
  upstream.script({ steps: [{ text }, { finish: 'stop' }, { done: true }] });
  await chat.newestAnswer.getByRole('button', { name: 'Regenerate' }).click();
  await expect(frame.getByText('Second version')).toBeVisible();
});

test.describe('a hostile document', () => {
  let server: Server;
  let visits: string[];

  test.beforeAll(async () => {
    visits = [];
    server = createServer((request, response) => {
      visits.push(request.url!);
      response.setHeader('Access-Control-Allow-Origin', '*');
      response.end('<p>elsewhere</p>');
    });
    server.on('upgrade', (request, socket) => {
      visits.push(request.url!);
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  test.afterAll(() => server.close());

  const target = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  const ATTACKS: Record<string, (host: string) => string> = {
    fetch: (host) => `<script>fetch('http://${host}/fetch').catch(() => 0)</script>`,
    'fetch of the site': () => `<script>fetch('/api/session', { credentials: 'include' }).catch(() => 0)</script>`,
    WebSocket: (host) => `<script>try { new WebSocket('ws://${host}/socket') } catch {}</script>`,
    beacon: (host) => `<script>navigator.sendBeacon('http://${host}/beacon', 'x')</script>`,
    picture: (host) => `<img src="http://${host}/picture"><div style="background:url(http://${host}/style)">`,
    script: (host) => `<script src="http://${host}/script"></script><link rel=stylesheet href="http://${host}/css">`,
    frame: (host) => `<iframe src="http://${host}/frame"></iframe><object data="http://${host}/object"></object>`,
    'the frame in it': (host) => `<iframe srcdoc="<script>location='http://${host}/srcdoc'</script>"></iframe>`,
    prefetch: (host) =>
      `<link rel=prefetch href="http://${host}/prefetch"><link rel=preload as=image href="http://${host}/preload">`,
    'the address': (host) => `<script>location = 'http://${host}/location'</script>`,
    'the address of the top': (host) => `<script>try { top.location = 'http://${host}/top' } catch {}</script>`,
    refresh: (host) => `<meta http-equiv=refresh content="0;url=http://${host}/refresh">`,
    form: (host) =>
      `<form action="http://${host}/form" target=_top><input name=a></form><script>document.forms[0].submit()</script>`,
    window: (host) => `<script>open('http://${host}/open')</script>`,
    link: (host) => `<a id=a target=_top href="http://${host}/link">x</a><script>a.click()</script>`,
    'blank link': (host) => `<a id=a target=_blank href="http://${host}/blank">x</a><script>a.click()</script>`,
    download: (host) =>
      `<a id=a download href="data:text/plain,x">x</a><a id=b download href="http://${host}/download">x</a><script>a.click(); b.click()</script>`,
    import: (host) => `<script type=module>import('http://${host}/import').catch(() => 0)</script>`,
    worker: (host) =>
      `<script>try { new Worker(URL.createObjectURL(new Blob(["fetch('http://${host}/worker')"]))) } catch {}</script>`,
  };

  for (const [name, attack] of Object.entries(ATTACKS)) {
    test(`XSS-8: reaches nothing by ${name}`, async ({ chat, page, context, upstream, product }) => {
      await chat.open();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      let popups = 0;
      context.on('page', () => (popups += 1));
      page.on('download', () => (popups += 1));
      await answer(chat, upstream, 'html', `${attack(target())}<p id=done>written</p>`);
      const before = page.url();
      requests.length = 0;
      await chat.newestAnswer.getByRole('button', { name: 'Open the preview' }).click();
      await expect(page.locator('iframe[title=Preview]')).toBeVisible();
      // A refused navigation may leave an error page in the frame; the answer to a request of the page comes after either.
      await page.waitForTimeout(700);
      expect(visits).toEqual([]);
      expect(page.url()).toBe(before);
      expect(popups).toBe(0);
      expect(requests.filter((url) => url.startsWith(`${product.url}/api/session`))).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog', { name: 'Preview' })).toBeHidden();
    });
  }

  test('XSS-8: reads nothing of the page and stores nothing', async ({ chat, page, upstream }) => {
    await chat.open();
    const probe = `<pre id=out></pre><script>
      const tries = { cookie: () => document.cookie, storage: () => localStorage.length, top: () => top.document.title,
        parent: () => parent.document.title, frame: () => parent.frames.length && frameElement.id, opener: () => opener.origin,
        alert: () => { const at = performance.now(); alert(1); throw performance.now() - at }, sw: () => navigator.serviceWorker.controller };
      out.textContent = JSON.stringify([origin, ...Object.entries(tries).map(([name, run]) => { try { return [name, String(run())] } catch { return name } })]);
    </script>`;
    await answer(chat, upstream, 'html', probe);
    const frame = await openPreview(page, chat);
    await expect(frame.locator('#out')).toHaveText(
      '["null","cookie","storage","top","parent","frame","opener","alert","sw"]',
    );
    expect(await page.locator('iframe[title=Preview]').getAttribute('src')).toBe('/preview');
  });

  test('XSS-8: a flood of messages and a huge text leave the page usable', async ({ chat, page, upstream }) => {
    await chat.open();
    const flood = `<p>flooding</p><script>setInterval(() => { for (let i = 0; i < 2000; i++) parent.postMessage('x'.repeat(100), '*') })</script>`;
    await answer(chat, upstream, 'html', flood);
    await openPreview(page, chat);
    await chat.composer.fill('typed beside a flood');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog', { name: 'Preview' })).toBeHidden();

    await answer(chat, upstream, 'html', `<p>big</p><script>document.write('<i>x</i>'.repeat(5e5))</script>`);
    await openPreview(page, chat);
    await chat.composer.fill('typed beside a huge text');
    await page.keyboard.press('Escape');
  });
});

test('a shared page offers no preview', async ({ chat, member, page, other, upstream }) => {
  await chat.signIn(member);
  await chat.open();
  await answer(chat, upstream, 'html', COUNTER);
  const threadId = Number(new URL(page.url()).pathname.split('/').at(-1));
  const shared = await page.request.post(`/api/chat/threads/${threadId}/share`, { data: {} });
  const { token } = (await shared.json()) as { token: string };
  await other.page.goto(`/share/${token}`);
  await expect(other.page.getByRole('button', { name: 'Copy code' })).toBeVisible();
  await expect(other.page.getByRole('button', { name: 'Open the preview' })).toBeHidden();
});
