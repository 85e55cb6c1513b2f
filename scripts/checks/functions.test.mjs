import { asWritten, differences, updated } from './functions.mjs';

const REFUSE = `CREATE OR REPLACE FUNCTION public.refuse(reason text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
      begin
        raise exception 'refused; %', reason;

      end $function$
`;

const WRITTEN = `CREATE OR REPLACE FUNCTION refuse(reason text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'refused; %', reason;

end $function$;`;

const TRIGGER = `CREATE TRIGGER changed AFTER UPDATE ON model FOR EACH ROW WHEN (new.a <> old.a) EXECUTE FUNCTION refuse();`;

const database = new Map([
  ['FUNCTION refuse', WRITTEN],
  ['TRIGGER changed', TRIGGER],
]);

const file = `-- What they are.

-- Why it refuses.
CREATE FUNCTION refuse;

CREATE TRIGGER changed;
`;

test('a function is written at the left margin and without its schema', () => {
  expect(asWritten(REFUSE)).toBe(WRITTEN);
});

test('a trigger is written on three lines', () => {
  expect(asWritten(TRIGGER.slice(0, -1)).split('\n')).toEqual([
    'CREATE TRIGGER changed AFTER UPDATE ON model',
    '  FOR EACH ROW WHEN (new.a <> old.a)',
    '  EXECUTE FUNCTION refuse();',
  ]);
});

test('an update writes definitions and keeps comments and order', () => {
  const whole = `-- What they are.\n\n-- Why it refuses.\n${WRITTEN}\n\n${TRIGGER}\n`;
  expect(updated(file, database)).toBe(whole);
  expect(updated(whole, new Map([['FUNCTION refuse', 'CREATE OR REPLACE FUNCTION refuse()\nother;']]))).toBe(
    `-- What they are.\n\n-- Why it refuses.\nCREATE OR REPLACE FUNCTION refuse()\nother;\n\n${TRIGGER}\n`,
  );
});

test('each difference to the database is named', () => {
  const path = 'room/functions.sql';
  const current = updated(file, database);
  expect(differences([{ path, text: current }], [...database])).toEqual([]);
  expect(differences([{ path, text: current.replace('refused;', 'no;') }], [...database])).toEqual([
    'room/functions.sql: the database has another FUNCTION refuse',
  ]);
  expect(differences([{ path, text: 'CREATE TRIGGER left;\n' }], [...database])).toEqual([
    'room/functions.sql: the database has no TRIGGER left; take it out',
    'FUNCTION refuse is in no functions.sql; write "CREATE FUNCTION refuse;" into that of its room',
    'TRIGGER changed is in no functions.sql; write "CREATE TRIGGER changed;" into that of its room',
  ]);
  const both = [path, 'other/functions.sql'].map((one) => ({ path: one, text: current }));
  expect(differences(both, [['FUNCTION refuse', WRITTEN]])).toContain(
    'FUNCTION refuse is in room/functions.sql and other/functions.sql',
  );
});
