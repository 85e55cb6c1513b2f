import { withPagePictures } from './page-pictures.js';

it('a PDF that declares a billion pages has those that it has', () => {
  const text = { sections: [{ kind: 'page', label: 'page 2', text: 'two' } as const], notices: [], textless: [1] };
  const { sections } = withPagePictures({ ...text, pages: 1e9 }, { drawn: [{ page: 1, bytes: 9 }], left: [] });
  expect(sections).toEqual([
    { kind: 'page', label: 'page 1', text: '', picture: 9 },
    { kind: 'page', label: 'page 2', text: 'two', picture: null },
  ]);
});
