import { readSavedRun } from './saved-run.js';

it('reads a run that an earlier version has saved', () => {
  const stored = { answer: { steps: 1, turns: [], isShort: false, takesTools: null, provider: 'demo' }, usage: null };
  expect(readSavedRun(JSON.stringify(stored))).toEqual({
    ...stored,
    isBudgeted: false,
    isSearchOffered: false,
    lacksTitle: false,
    isTemporary: false,
    projectId: null,
    citations: null,
    attempts: [],
  });
  expect(readSavedRun(JSON.stringify({ ...stored, projectId: 7, isBudgeted: true }))).toMatchObject({
    projectId: 7,
    isBudgeted: true,
  });
});
