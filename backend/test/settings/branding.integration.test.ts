import type { AdminSettings, PublicSettings, SiteLogo } from '@tanya/contract';
import sharp from 'sharp';
import { errorOf, type HttpClient, refusedField } from '../harness/http-client.js';
import { startTestApp, type TestApp } from '../harness/test-app.js';

const READ = '/api/general-settings';
const WRITE = '/api/admin/general-settings';
const LOGO = '/api/admin/logo';

let server: TestApp;
let admin: HttpClient;

beforeAll(async () => {
  server = await startTestApp();
  admin = await server.admin();
});

afterAll(() => server.close());

const settings = async () => (await server.client().get<PublicSettings>(READ)).body;

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 20, channels: 4, background: '#0a7' } })
    .withMetadata({ exif: { IFD0: { Copyright: 'A secret of the photographer' } } })
    .png()
    .toBuffer();

function formWith(bytes: Uint8Array, name = 'logo.png', type = 'image/png'): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  return form;
}

const put = (form: FormData) => admin.send<SiteLogo>('PUT', LOGO, { raw: form });

describe('the names of the plans', () => {
  it('are those of the product until an admin gives others', async () => {
    expect((await settings()).planNames).toEqual({ free: null, premium: null });
    const { body } = await admin.patch<AdminSettings>(WRITE, { planNames: { free: ' Staff ' } });
    expect(body.planNames).toEqual({ free: 'Staff', premium: null });
    await admin.patch(WRITE, { planNames: { premium: 'Research' } });
    expect((await settings()).planNames).toEqual({ free: 'Staff', premium: 'Research' });
    await admin.patch(WRITE, { planNames: { free: null, premium: '' } });
    expect((await settings()).planNames).toEqual({ free: null, premium: null });
  });

  it.each([
    { planNames: 'x' },
    { planNames: { free: 'x'.repeat(41) } },
    { planNames: { guest: 'x' } },
    { planNames: { free: 1 } },
  ])('refuses %j', async (changes) => {
    expect((await admin.patch(WRITE, changes)).status).toBe(400);
  });
});

it('shows the upgrade and other applications until an admin hides them', async () => {
  expect(await settings()).toMatchObject({ showUpgrade: true, showOtherApps: true });
  await admin.patch(WRITE, { showUpgrade: false, showOtherApps: false });
  expect(await settings()).toMatchObject({ showUpgrade: false, showOtherApps: false });
  expect(refusedField(await admin.patch(WRITE, { showUpgrade: 'no' }))).toBe('showUpgrade');
});

describe('the logo', () => {
  it('is shown to everyone, encoded again, until it is removed', async () => {
    expect((await settings()).logo).toBeNull();
    expect((await server.client().get('/api/logo')).status).toBe(404);
    const original = await picture();
    const stored = await put(formWith(original));
    expect([stored.status, stored.body.logo]).toEqual([200, expect.stringMatching(/^\/api\/logo\?v=\w+$/)]);
    expect((await settings()).logo).toBe(stored.body.logo);

    const answer = await fetch(server.url + stored.body.logo);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('cache-control')).toContain('immutable');
    // A cache that is shared would give the guest of one visitor to all others.
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(bytes.includes('photographer')).toBe(false);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 40, height: 20 });

    expect((await admin.delete<SiteLogo>(LOGO)).body).toEqual({ logo: null });
    expect((await server.client().get('/api/logo')).status).toBe(404);
    expect((await settings()).logo).toBeNull();
  });

  it.each([
    ['text', Buffer.from('hello'), 'logo.png', 'image/png'],
    [
      'SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      'a.svg',
      'image/svg+xml',
    ],
    ['a PDF', Buffer.from('%PDF-1.4\n%%EOF'), 'a.pdf', 'application/pdf'],
  ])('is not %s', async (_, bytes, name, type) => {
    expect(errorOf(await put(formWith(bytes, name, type))).code).toBe('unsupported_type');
    expect((await settings()).logo).toBeNull();
  });

  it('has at most 1 MB', async () => {
    const answer = await put(formWith(Buffer.concat([await picture(), Buffer.alloc(1_200_000)])));
    expect(errorOf(answer)).toMatchObject({ code: 'too_large', statusCode: 413 });
  });

  it('is changed by admins alone', async () => {
    const { client: member } = await server.member();
    expect((await member.send('PUT', LOGO, { raw: formWith(await picture()) })).status).toBe(403);
    expect((await member.delete(LOGO)).status).toBe(403);
  });
});
