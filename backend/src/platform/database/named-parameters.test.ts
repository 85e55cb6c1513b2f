import { statement } from './named-parameters.js';

describe('a statement with named parameters', () => {
  it('numbers its parameters by their first appearance, and repeats the number of a name', () => {
    const rename = statement<{ id: number; owner: string; title: string }>(
      'update thread set title = :title where id = :id and owner = :owner returning :title',
    );
    expect(rename({ id: 7, owner: 'user:1', title: 'Rain' })).toEqual([
      'update thread set title = $1 where id = $2 and owner = $3 returning $1',
      ['Rain', 7, 'user:1'],
    ]);
  });

  it('keeps casts, strings, quoted names and comments', () => {
    const { text } = statement<{ ids: number[] }>(
      `/* planned: each time */ select to_char(now(), 'HH24:MI'), 'it''s :here', a::text as "of:day" -- :ids
       from unnest(:ids::int[]) a`,
    );
    expect(text).toBe(
      `/* planned: each time */ select to_char(now(), 'HH24:MI'), 'it''s :here', a::text as "of:day" -- :ids
       from unnest($1::int[]) a`,
    );
  });

  it('sends null, and refuses a value that is missing', () => {
    const find = statement<{ id: number | null }>('select :id::int');
    expect(find({ id: null })).toEqual(['select $1::int', [null]]);
    expect(() => find({} as { id: number })).toThrow(':id');
  });

  it('refuses a number beside names', () => {
    expect(() => statement('select $1, :name')).toThrow('no name');
  });

  it('uses one text for all calls, so that it is prepared once', () => {
    const find = statement<{ id: number }>('select :id::int');
    expect(find({ id: 1 })[0]).toBe(find({ id: 2 })[0]);
    expect(find.text).toBe(find({ id: 1 })[0]);
  });
});
