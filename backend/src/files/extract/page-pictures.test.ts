import { withPagePictures } from './page-pictures.js';

it('pages without text have the names that the document gives them', () => {
  const text = { sections: [{ kind: 'page', label: 'page 2 (ii)', text: 'two' } as const], notices: [], textless: [1] };
  const named = { ...text, pages: 2, pageNames: ['i', 'ii'] };
  expect(withPagePictures(named, { drawn: [{ page: 1, bytes: 9, width: 1, height: 1 }], left: [] }).sections).toEqual([
    { kind: 'page', label: 'page 1 (i)', text: '', picture: 9 },
    { kind: 'page', label: 'page 2 (ii)', text: 'two' },
  ]);
});

it('a PDF that declares a billion pages has those that it has', () => {
  const text = { sections: [{ kind: 'page', label: 'page 2', text: 'two' } as const], notices: [], textless: [1] };
  const { sections } = withPagePictures(
    { ...text, pages: 1e9 },
    { drawn: [{ page: 1, bytes: 9, width: 1, height: 1 }], left: [] },
  );
  expect(sections).toEqual([
    { kind: 'page', label: 'page 1', text: '', picture: 9 },
    { kind: 'page', label: 'page 2', text: 'two' },
  ]);
});
