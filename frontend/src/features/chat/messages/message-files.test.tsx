import type { MessageContent } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MessageFiles } from './message-files';
import { FakeTheme } from '../../../components/layout/fake-theme';

const show = (content: Partial<MessageContent>) =>
  render(
    <FakeTheme>
      <MessageFiles content={{ text: '', ...content }} />
    </FakeTheme>,
  );

const attachment = (fileId: string, name: string, type: string, url = `/api/files/${fileId}`) => ({
  fileId,
  url,
  name,
  type,
  size: 2_048,
});

test('links a document with its name, type and size', () => {
  show({ fileUrl: '/api/files/1', fileName: 'Report.pdf', fileType: 'application/pdf', fileSize: 2048 });
  const link = screen.getByRole<HTMLAnchorElement>('link', { name: /^Download Report\.pdf / });
  expect([link.getAttribute('href'), link.download]).toEqual(['/api/files/1', 'Report.pdf']);
  expect(link.textContent).toMatch(/Report\.pdfPDF · 2/);
});

test('says how many pages a PDF has, and how many of them go as pictures', () => {
  const scan = attachment('1', 'scan.pdf', 'application/pdf');
  show({ attachments: [{ ...scan, pages: 12, pictures: 3 }] });
  expect(screen.getByRole('link').textContent).toBe('Download scan.pdfscan.pdfPDF · 12 pages, 3 as pictures · 2 KB');
});

test('the icon of a document keeps its size beside a long name', () => {
  const { container } = show({ fileUrl: '/api/files/1', fileName: `${'long'.repeat(40)}.pdf`, fileType: 'text/plain' });
  expect(container.querySelector('a svg')?.getAttribute('style')).toContain('flex-shrink: 0');
});

test('loads no file of another site', () => {
  const { container } = show({
    imageUrl: 'https://evil.example/x.png',
    audioData: 'https://evil.example/x.mp3',
    fileUrl: 'https://evil.example/x.pdf',
  });
  expect(container.querySelector('img, audio, a')).toBeNull();
});

test('all attachments are shown by their names, and the older fields are not shown again', () => {
  show({
    imageData: '/api/files/1',
    fileUrl: '/api/files/3',
    attachments: [
      attachment('1', 'a.png', 'image/png'),
      attachment('2', 'b.webp', 'image/webp'),
      attachment('3', 'c.pdf', 'application/pdf'),
      attachment('4', 'd.mp3', 'audio/mpeg'),
    ],
  });
  expect(screen.getAllByRole('button').map((button) => button.title)).toEqual(['a.png', 'b.webp']);
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('download'))).toEqual(['c.pdf']);
  expect(screen.getByLabelText('d.mp3').getAttribute('src')).toBe('/api/files/4');
});

test('an image opens at full size under its name', async () => {
  show({ attachments: [attachment('1', 'a.png', 'image/png'), attachment('2', 'b.png', 'image/png')] });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Open b.png' }));
  expect(await screen.findByRole('dialog', { name: 'b.png' })).toBeDefined();
});

test('files of other sites and names with markup are only text', () => {
  const name = '<img src=x onerror=alert(1)>.pdf';
  show({
    attachments: [
      attachment('1', name, 'application/pdf'),
      attachment('2', 'evil.png', 'image/png', 'https://example.org/evil.png'),
      attachment('3', 'evil.pdf', 'application/pdf', 'javascript:alert(1)'),
    ],
  });
  expect(screen.getByText(name)).toBeDefined();
  expect(screen.queryByRole('button')).toBeNull();
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('bounds the height of a picture of the user and of one that the model drew alike', () => {
  show({ imageData: '/api/files/1' });
  show({ imageUrl: '/api/files/2' });
  const heights = screen.getAllByRole('img').map((image) => getComputedStyle(image).maxHeight);
  expect(heights).toEqual(['16rem', '16rem']);
});

test('a picture that was drawn has its description', () => {
  render(
    <FakeTheme>
      <MessageFiles content={{ text: '', imageUrl: '/api/files/9' }} alt="a lighthouse" />
    </FakeTheme>,
  );
  expect(screen.getByRole('img', { name: 'a lighthouse' })).toBeDefined();
});
