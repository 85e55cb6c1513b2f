import { ChakraProvider, defaultSystem } from '@chakra-ui/react';
import type { MessageContent } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MessageFiles } from './message-files';

const show = (content: Partial<MessageContent>) =>
  render(
    <ChakraProvider value={defaultSystem}>
      <MessageFiles content={{ text: '', ...content }} />
    </ChakraProvider>,
  );

const attachment = (fileId: string, name: string, type: string, url = `/api/files/${fileId}`) => ({
  fileId,
  url,
  name,
  type,
  size: 2_048,
});

test('the icon of a document keeps its size beside a long name', () => {
  show({ fileUrl: '/api/files/1', fileName: `${'long '.repeat(30)}.pdf` });
  const icon = screen.getByRole('link', { name: /^Download long/ }).querySelector('svg');
  expect(icon?.style.flexShrink).toBe('0');
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
