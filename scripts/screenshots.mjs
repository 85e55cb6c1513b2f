import './require-node.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareOrExit, root } from './build-steps.mjs';
import { chromium as chromiumPath } from './testing/chromium.mjs';

/**
 * `npm run screenshots` takes pictures of every screen and dialog of the built product, in three widths and both themes,
 * into `screenshots/` (ignored by git), for manual review. `-- 390 dark` takes only one width or theme.
 */
const SIZES = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];
const THEMES = ['light', 'dark'];
const PASSWORD = 'a quiet harbour at dawn';
const folder = join(root, 'screenshots');

process.chdir(root);
await prepareOrExit(['test-packages', 'server', 'web']);
const { chromium } = await import('@playwright/test');
if (process.argv.length === 2) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const dataDir = mkdtempSync(join(tmpdir(), 'tanya-screenshots-'));
const port = await freePort();
const url = `http://localhost:${port}`;
const server = spawn(process.execPath, ['backend/dist/bundle/main.js'], {
  cwd: root,
  env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, LOG_LEVEL: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((resolve) => server.stdout.on('data', (text) => String(text).includes('is ready') && resolve()));
const browser = await chromium.launch({
  executablePath: chromiumPath(),
  args: [
    '--no-sandbox',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
try {
  for (const viewport of chosen(SIZES, ({ width }) => String(width)))
    for (const colorScheme of chosen(THEMES, (theme) => theme)) await tour({ viewport, colorScheme });
} finally {
  await browser.close();
  server.kill('SIGTERM');
  await new Promise((resolve) => server.once('exit', resolve));
  rmSync(dataDir, { recursive: true, force: true });
}
console.log(`The screenshots are in ${folder}`);

async function tour({ viewport, colorScheme }) {
  const context = await browser.newContext({ viewport, colorScheme, baseURL: url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const shot = async (name) => {
    await page.waitForTimeout(600);
    await page.screenshot({ path: join(folder, `${name}-${viewport.width}-${colorScheme}.png`) });
  };
  const visit = async (path, name) => {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
    await shot(name);
  };
  const say = async (text) => {
    await page.locator('main textarea').last().fill(text);
    await page.keyboard.press('Enter');
  };
  const dialog = page
    .locator('[role=dialog], [role=alertdialog]')
    .filter({ hasNot: page.getByRole('link', { name: 'Home' }) });
  const shotOfDialog = async (name) => {
    await dialog.last().waitFor();
    await shot(name);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };

  await visit('/', 'guest-home');
  await say('Write a Python function for Fibonacci numbers');
  await page.waitForTimeout(1500);
  await shot('guest-streaming');
  for (const text of ['What is (12 + 30) * 2?', 'Write a haiku']) {
    await page.getByRole('button', { name: /^stop/i }).waitFor({ state: 'detached', timeout: 60_000 });
    await say(text);
    await page.waitForTimeout(800);
  }
  await page.getByRole('button', { name: /^stop/i }).waitFor({ state: 'detached', timeout: 60_000 });
  await shot('guest-exhausted');
  await visit('/nowhere/at/all', 'not-found');

  await page.goto('/');
  for (const name of ['Login', 'Register']) {
    await openSidebar(page, viewport);
    // An exhausted quota shows Register below the messages too; the button of the sidebar is the last one.
    await page.getByRole('button', { name, exact: true }).last().click();
    await shotOfDialog(name.toLowerCase());
  }
  await context.request.post('/api/login', {
    data: { username: 'admin', password: PASSWORD },
    headers: { origin: url },
  });
  // Refused from the second tour on, when the group is there.
  await context.request.post('/api/admin/groups', { data: { name: 'Research' }, headers: { origin: url } });
  await visit('/', 'home');
  await openSidebar(page, viewport);
  await shot('sidebar');
  await page.getByRole('button', { name: 'Create Image' }).first().click();
  await shotOfDialog('create-image');
  for (const [path, name] of [
    ['/account', 'account'],
    ['/account/personal', 'account-personal'],
    ['/account/security', 'account-security'],
    ['/account/data', 'account-data'],
    ['/admin', 'admin-models'],
    ['/admin/connections', 'admin-connections'],
    ['/admin/users', 'admin-users'],
    ['/admin/groups', 'admin-groups'],
    ['/admin/keys', 'admin-keys'],
    ['/admin/tools', 'admin-tools'],
    ['/admin/usage', 'admin-usage'],
    ['/admin/failures', 'admin-failures'],
    ['/admin/audit', 'admin-audit'],
    ['/admin/installation', 'admin-installation'],
    ['/admin/settings', 'admin-settings'],
    ['/api-integration', 'api-integration'],
    ['/usage', 'usage'],
  ]) {
    await visit(path, name);
  }
  await page.goto('/admin');
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .click();
  await shotOfDialog('admin-edit-model');
  await page.getByRole('button', { name: 'Add New Model' }).click();
  await shotOfDialog('admin-add-model');
  await page.getByRole('tab', { name: 'Import Models' }).click();
  await shot('admin-import');
  await page.goto('/admin/users');
  await page.getByRole('button', { name: 'Add User' }).click();
  await shotOfDialog('admin-add-user');
  await page.getByRole('button', { name: 'Invite' }).click();
  await shotOfDialog('admin-invitations');
  await page.goto('/admin/groups');
  await page.getByRole('button', { name: 'Members of Research' }).click();
  await shotOfDialog('admin-group-members');
  await page.goto('/');
  await say('Show me a table of planets');
  await page.getByRole('button', { name: /^stop/i }).waitFor({ state: 'attached', timeout: 10_000 });
  await page.getByRole('button', { name: /^stop/i }).waitFor({ state: 'detached', timeout: 60_000 });
  await shot('chat');
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  await shot('tools-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Chat options' }).click();
  await shot('chat-menu');
  await page.getByRole('menuitem', { name: 'Find in this chat' }).click();
  await page.getByLabel('Words to find').fill('planet');
  await shotOfDialog('find');
  await page.getByRole('button', { name: /^Model: / }).click();
  await shotOfDialog('model-menu');
  await openSidebar(page, viewport);
  await page
    .getByRole('button', { name: /^Options for / })
    .first()
    .click();
  await shot('thread-menu');
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await shotOfDialog('thread-delete');
  await context.close();
}

async function openSidebar(page, viewport) {
  if (viewport.width >= 1024) return;
  await page.getByRole('button', { name: /menu/i }).first().click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
}

/** The items named on the command line, or all of them. */
function chosen(all, nameOf) {
  const named = all.filter((one) => process.argv.includes(nameOf(one)));
  return named.length > 0 ? named : all;
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
