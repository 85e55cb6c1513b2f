import type { PageWord, ProjectSection } from '@tanya/contract';
import { fireEvent, render, screen } from '@testing-library/react';
import { serve } from '../../app/api/fake-server';
import { queryClient } from '../../app/queries/query-client';
import { FakePage } from '../../components/layout/fake-page';
import { DocumentPage } from './document-page';

const sections = (from: number): ProjectSection[] =>
  Array.from({ length: 50 }, (_, each) => ({
    index: from + each,
    kind: 'page',
    label: `page ${from + each + 1}`,
    text: `The text\nof page ${from + each + 1}. More.`,
  }));

function show(place: { section: number | null; start: number | null }, from: number, quote = '') {
  queryClient.clear();
  Element.prototype.scrollIntoView = () => undefined;
  serve({
    '/api/projects/4/files/f1': { id: 'f1', name: 'guide.pdf', sections: 150 },
    [`/api/projects/4/files/f1/sections?from=${from}`]: sections(from),
  });
  render(
    <FakePage>
      <DocumentPage projectId={4} fileId="f1" {...place} quote={quote} />
    </FakePage>,
  );
}

const marked = () => document.querySelectorAll('[aria-current=location]');

test('marks the section that a citation names', async () => {
  show({ section: 60, start: null }, 59);
  await screen.findByRole('heading', { name: 'page 61' });
  expect([...marked()].map((each) => each.textContent)).toEqual([expect.stringContaining('page 61')]);
});

const BOX: PageWord = ['The', 1_000, 2_000, 500, 100];

function showPdf(quote: string, pages: Record<string, unknown>) {
  queryClient.clear();
  // As newer browsers do.
  Element.prototype.scrollIntoView = () => Promise.resolve() as never;
  const requested = serve({
    '/api/projects/4/files/f1': { id: 'f1', name: 'guide.pdf', type: 'application/pdf' },
    '/api/projects/4/files/f1/sections?from=59': sections(59),
    ...pages,
  });
  render(
    <FakePage>
      <DocumentPage projectId={4} fileId="f1" section={60} start={null} quote={quote} />
    </FakePage>,
  );
  return requested;
}

test('shows the cited page of a PDF as a picture, with the passage marked, and others on a click', async () => {
  const page = (number: number) => ({ page: number, width: 10, height: 20, picture: 'data:,', words: [BOX] });
  const requested = showPdf('The', {
    '/api/projects/4/files/f1/pages/61': page(61),
    '/api/projects/4/files/f1/pages/62': page(62),
  });
  await screen.findByRole('img', { name: 'Picture of page 61' });
  const [mark, ...others] = document.querySelectorAll<HTMLElement>('[data-mark]');
  expect(others).toEqual([]);
  expect(mark!.getAttribute('aria-hidden')).toBe('true');
  expect(requested.filter((path) => path.includes('/pages/'))).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Show the page as a picture: page 62' }));
  await screen.findByRole('img', { name: 'Picture of page 62' });
  expect(document.querySelectorAll('[data-mark]')).toHaveLength(1);
  fireEvent.click(screen.getByRole('button', { name: 'Hide the picture of page 61' }));
  expect(screen.queryByRole('img', { name: 'Picture of page 61' })).toBeNull();
});

test('says that a page cannot be shown, beside its text', async () => {
  showPdf('The text', {
    '/api/projects/4/files/f1/pages/61': { statusCode: 503, code: 'server_busy', message: 'Busy' },
  });
  await screen.findByText('This page cannot be shown as a picture.', { exact: false });
  expect([...document.querySelectorAll('mark')].map((each) => each.textContent)).toEqual(['The text']);
});

test('marks nothing in a file that is opened or paged without a citation', async () => {
  show({ section: null, start: 50 }, 50);
  await screen.findByRole('heading', { name: 'page 51' });
  expect(marked()).toHaveLength(0);
  expect(screen.getByRole('link', { name: 'Later sections' }).getAttribute('href')).toContain('start=100');
  expect(screen.getByRole('link', { name: 'Earlier sections' }).getAttribute('href')).toContain('start=0');
});

test('has no later sections behind the last one', async () => {
  show({ section: null, start: 100 }, 100);
  await screen.findByRole('heading', { name: 'page 150' });
  expect(screen.getByRole('link', { name: 'Earlier sections' })).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Later sections' })).toBeNull();
});

test('marks the passage that a citation names in its section alone', async () => {
  show({ section: 60, start: null }, 59, 'text of page');
  await screen.findByRole('heading', { name: 'page 61' });
  expect([...document.querySelectorAll('mark')].map((each) => each.textContent)).toEqual(['text\nof page']);
});
