import type { ProjectSection } from '@tanya/contract';
import { render, screen } from '@testing-library/react';
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
    '/api/projects/4/files/f1': { id: 'f1', name: 'guide.pdf' },
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

test('marks nothing in a file that is opened or paged without a citation', async () => {
  show({ section: null, start: 50 }, 50);
  await screen.findByRole('heading', { name: 'page 51' });
  expect(marked()).toHaveLength(0);
  expect(screen.getByRole('link', { name: 'Later sections' }).getAttribute('href')).toContain('start=100');
  expect(screen.getByRole('link', { name: 'Earlier sections' }).getAttribute('href')).toContain('start=0');
});

test('marks the passage that a citation names in its section alone', async () => {
  show({ section: 60, start: null }, 59, 'text of page');
  await screen.findByRole('heading', { name: 'page 61' });
  expect([...document.querySelectorAll('mark')].map((each) => each.textContent)).toEqual(['text\nof page']);
});
