import { API_LIMITS } from '@tanya/contract';
import { ToolCallDeltas } from './tool-call-deltas.js';

const piece = (fields: { index?: number; id?: string; name?: string; args?: unknown }): object => {
  const { index, id, name, args } = fields;
  return { index, id, type: 'function', function: { name, arguments: args } };
};

function collect(...deltas: unknown[]): unknown[] {
  const calls = new ToolCallDeltas();
  for (const delta of deltas) calls.push(delta);
  return calls.events().map(({ type: _type, ...call }) => call);
}

it('joins the pieces of several calls by their index', () => {
  expect(
    collect(
      [piece({ index: 0, id: 'a', name: 'add', args: '' }), piece({ index: 1, id: 'b', name: 'sum', args: '{"x"' })],
      [piece({ index: 1, args: ':2}' }), piece({ index: 0, args: '{"x":1}' })],
    ),
  ).toEqual([
    { id: 'a', name: 'add', args: { x: 1 } },
    { id: 'b', name: 'sum', args: { x: 2 } },
  ]);
});

it.each([
  ['no index', 'a', [piece({ id: 'a', name: 'add', args: '{' })], [piece({ id: 'a', args: '}' })]],
  ['no id', null, [piece({ index: 0, name: 'add', args: '{' })], [piece({ index: 0, args: '}' })]],
  ['neither', null, [piece({ name: 'add', args: '{' })], [piece({ args: '}' })]],
  [
    'its name twice',
    null,
    [piece({ index: 0, name: 'add', args: '{' })],
    [piece({ index: 0, name: 'add', args: '}' })],
  ],
])('joins the pieces of a call with %s', (_name, id, first, second) => {
  expect(collect(first, second)).toEqual([{ id, name: 'add', args: {} }]);
});

it('keeps calls apart that share an index but not an id', () => {
  expect(
    collect(
      [piece({ index: 0, id: 'a', name: 'add', args: '{}' })],
      [piece({ index: 0, id: 'b', name: 'sum', args: '{}' })],
    ),
  ).toEqual([
    { id: 'a', name: 'add', args: {} },
    { id: 'b', name: 'sum', args: {} },
  ]);
});

it('takes arguments that are empty or an object', () => {
  const [now, nil] = [piece({ index: 0, name: 'now' }), piece({ index: 1, name: 'nil', args: 'null' })];
  expect(collect([now, nil, piece({ index: 2, name: 'add', args: { x: 1 } })])).toEqual([
    { id: null, name: 'now', args: {} },
    { id: null, name: 'nil', args: {} },
    { id: null, name: 'add', args: { x: 1 } },
  ]);
});

it.each(['[1]', '"x"', '7', 'true'])('reports %s, which is no object', (args) => {
  expect(collect([piece({ index: 0, name: 'add', args })])).toEqual([
    { id: null, name: 'add', args: {}, invalid: 'The arguments must be a JSON object.' },
  ]);
});

it('reports arguments that are not JSON or too long', () => {
  expect(collect([piece({ index: 0, name: 'add', args: '{"x":' })])).toEqual([
    { id: null, name: 'add', args: {}, invalid: 'The arguments are not valid JSON.' },
  ]);
  expect(collect([piece({ index: 0, name: 'add', args: `"${'x'.repeat(100_000)}"` })])).toEqual([
    { id: null, name: 'add', args: {}, invalid: 'The arguments are too long.' },
  ]);
});

describe('a name in pieces', () => {
  const NAMES = ['get', 'get_weather', 'get_weather_now', 'send'];

  function read(...deltas: object[]): unknown {
    const calls = new ToolCallDeltas(NAMES);
    for (const delta of deltas) calls.push([delta]);
    calls.finish();
    const starts = calls.takeDeltas().flatMap(({ start, index }) => (start === undefined ? [] : [[index, start.name]]));
    const events = calls.events().map(({ name, args }) => [name, args]);
    expect(starts).toEqual(events.map(([name], at) => [at, name]));
    return events;
  }

  it.each<[string, object[], unknown]>([
    [
      'with index and id',
      [
        piece({ index: 0, id: 'a', name: 'get_', args: '' }),
        piece({ index: 0, name: 'weather', args: '' }),
        piece({ index: 0, args: '{"x":1}' }),
      ],
      [['get_weather', { x: 1 }]],
    ],
    [
      'with neither',
      [piece({ name: 'get_wea' }), piece({ name: 'ther', args: '{"x":1}' })],
      [['get_weather', { x: 1 }]],
    ],
    [
      'one of which is a name itself',
      [piece({ index: 0, id: 'a', name: 'get' }), piece({ index: 0, name: '_weather', args: '{}' })],
      [['get_weather', {}]],
    ],
    ['without arguments', [piece({ index: 0, name: 'sen' }), piece({ index: 0, name: 'd' })], [['send', {}]]],
    ['so far', ['g', 'get_w', 'get_weather'].map((name) => piece({ index: 0, id: 'a', name })), [['get_weather', {}]]],
    [
      'before another call',
      [
        piece({ index: 0, id: 'a', name: 'get_' }),
        piece({ index: 0, name: 'weather' }),
        piece({ index: 1, id: 'b', name: 'send', args: '{}' }),
        piece({ index: 0, args: '{"x":1}' }),
      ],
      [
        ['get_weather', { x: 1 }],
        ['send', {}],
      ],
    ],
  ])('is one: %s', (_name, deltas, expected) => {
    expect(read(...deltas)).toEqual(expected);
  });

  it.each<[string, object[], unknown]>([
    [
      'the name with each piece',
      [piece({ index: 0, id: 'a', name: 'get' }), piece({ index: 0, name: 'get', args: '{"x":1}' })],
      [['get', { x: 1 }]],
    ],
    [
      'two calls without an id',
      [piece({ name: 'get', args: '{}' }), piece({ name: 'get_weather', args: '{}' })],
      [
        ['get', {}],
        ['get_weather', {}],
      ],
    ],
    [
      'two calls with an id',
      [piece({ id: 'a', name: 'get' }), piece({ id: 'b', name: '_weather' })],
      [
        ['get', {}],
        ['_weather', {}],
      ],
    ],
    ...[{ index: 0 }, { id: 'a' }].flatMap((which) =>
      ['', '{}', 'null'].map((args): [string, object[], unknown] => [
        `two calls of ${JSON.stringify(which)}, the first with "${args}"`,
        [piece({ ...which, name: 'send', args }), piece({ ...which, name: 'get', args: '{"x":1}' })],
        [
          ['send', {}],
          ['get', { x: 1 }],
        ],
      ]),
    ),
    [
      'two calls without arguments, one of which begins with the name of the other',
      [piece({ index: 0, name: 'get', args: '{}' }), piece({ index: 0, name: 'get_weather', args: '{}' })],
      [
        ['get', {}],
        ['get_weather', {}],
      ],
    ],
    [
      'words that make no name',
      [piece({ index: 0, id: 'a', name: 'get' }), piece({ index: 0, name: 'ter', args: '{}' })],
      [['get', {}]],
    ],
    ['a name that is offered to nobody', [piece({ index: 0, name: 'search' })], [['search', {}]]],
  ])('is none: %s', (_name, deltas, expected) => {
    expect(read(...deltas)).toEqual(expected);
  });
});

describe('what a provider adds to a call', () => {
  const EXTRA = { google: { thought_signature: 'A1+/=' } };
  const signed = (fields: Parameters<typeof piece>[0], extra_content: unknown): object => ({
    ...piece(fields),
    extra_content,
  });

  it.each([
    ['its first piece', [[signed({ index: 0, id: 'a', name: 'add', args: '{}' }, EXTRA)]]],
    ['a piece before its name', [[signed({ index: 0, args: '' }, EXTRA)], [piece({ index: 0, id: 'a', name: 'add' })]]],
    ['each piece', [0, 1].map((at) => [signed({ index: 0, id: 'a', name: 'add', args: '{}'[at] }, EXTRA)])],
  ])('stays with it, and goes with its first piece: %s', (_name, deltas) => {
    const calls = new ToolCallDeltas();
    for (const delta of deltas) calls.push(delta);
    calls.finish();
    expect(calls.events()).toMatchObject([{ id: 'a', name: 'add', args: {}, extraContent: EXTRA }]);
    const passed = calls.takeDeltas();
    expect(passed.filter(({ extraContent }) => extraContent !== undefined)).toEqual([passed[0]]);
    expect(passed[0]).toMatchObject({ start: { id: 'a', name: 'add' }, extraContent: EXTRA });
  });

  it('follows in a piece of its own when it comes late', () => {
    const calls = new ToolCallDeltas();
    calls.push([piece({ index: 0, id: 'a', name: 'add', args: '{}' })]);
    calls.takeDeltas();
    calls.push([signed({ index: 0, args: '' }, EXTRA)]);
    expect(calls.takeDeltas()).toEqual([{ type: 'tool-call-delta', index: 0, json: '', extraContent: EXTRA }]);
  });

  it('is left out when it is no object, too long or too deep', () => {
    const deep = JSON.parse('{"a":'.repeat(100) + '1' + '}'.repeat(100)) as object;
    for (const extra of ['x', [EXTRA], null, { a: 'x'.repeat(API_LIMITS.extraContent.characters) }, deep])
      expect(collect([signed({ index: 0, id: 'a', name: 'add', args: '{}' }, extra)])).toEqual([
        { id: 'a', name: 'add', args: {} },
      ]);
    const large = { a: 'x'.repeat(API_LIMITS.extraContent.characters - 100) };
    const many = Array.from({ length: 100 }, (_, index) =>
      signed({ index, id: `c${index}`, name: 'add', args: '{}' }, large),
    );
    const kept = (collect(many) as { extraContent?: object }[]).filter(({ extraContent }) => extraContent);
    expect(kept).toHaveLength(10);
  });
});

describe('an id', () => {
  const ids = (...deltas: unknown[]): unknown[] => (collect(...deltas) as { id: unknown }[]).map(({ id }) => id);

  it('with a thought signature is kept whole, and matches the pieces of its call', () => {
    const signed = ['a', 'b'].map((name) => `call_${name}__thought__${'x+/='.repeat(500)}`);
    const pieces = signed.flatMap((id) => [
      [piece({ index: 0, id, name: 'add', args: '' })],
      [piece({ index: 0, id, args: '{}' })],
    ]);
    expect(ids(...pieces)).toEqual(signed);
    expect(collect([piece({ id: signed[0], name: 'add', args: '{' })], [piece({ id: signed[0], args: '}' })])).toEqual([
      { id: signed[0], name: 'add', args: {} },
    ]);
  });

  it('that is too long is left out instead of cut', () => {
    const id = 'x'.repeat(API_LIMITS.toolCallId);
    expect(ids([piece({ index: 0, id, name: 'add' }), piece({ index: 1, id: `${id}x`, name: 'add' })])).toEqual([
      id,
      null,
    ]);
  });
});

it('ignores unreadable pieces, calls without a name and calls beyond the bound', () => {
  expect(collect('text', [null, 3, piece({ index: 0, args: '{}' })], { a: 1 })).toEqual([]);
  const many = Array.from({ length: 200 }, (_, index) => piece({ index, name: `tool${index}`, args: '{}' }));
  expect(collect(many)).toHaveLength(128);
});

describe('the pieces for a client', () => {
  const passed = (...deltas: unknown[]): unknown[] => {
    const calls = new ToolCallDeltas();
    for (const delta of deltas) calls.push(delta);
    calls.finish();
    return calls.takeDeltas().map(({ type: _type, ...delta }) => delta);
  };

  it('begin with the id and the name, and number the calls from 0', () => {
    expect(
      passed(
        [piece({ index: 3, id: 'a', name: 'add', args: '' })],
        [piece({ index: 3, args: '{"x"' })],
        [piece({ index: 7, id: 'b', name: 'sum', args: '{"y":2}' })],
        [piece({ index: 3, args: ':1}' })],
      ),
    ).toEqual([
      { index: 0, start: { id: 'a', name: 'add' }, json: '{"x"' },
      { index: 1, start: { id: 'b', name: 'sum' }, json: '{"y":2}' },
      { index: 0, json: ':1}' },
    ]);
  });

  it('hold arguments back until the name, and a high surrogate until the low one', () => {
    expect(
      passed(
        [piece({ index: 0, args: '{"x":"\ud83d' })],
        [piece({ index: 0, name: 'add', args: '' })],
        [piece({ index: 0, args: '\ude00\0"}' })],
      ),
    ).toEqual([{ index: 0, start: { id: null, name: 'add' }, json: '{"x":"\ud83d\ude00"}' }]);
  });

  it.each([70_000, 199_000])('of %i characters in one piece stay as they are', (length) => {
    const args = `{"x":"${'y'.repeat(length)}"}`;
    expect(passed([piece({ index: 0, id: 'a', name: 'add', args })])).toEqual([
      { index: 0, start: { id: 'a', name: 'add' }, json: args },
    ]);
    expect(passed([piece({ index: 0, args })], [piece({ index: 0, name: 'add' })])).toEqual([
      { index: 0, start: { id: null, name: 'add' }, json: args },
    ]);
  });

  it('complete blank arguments and leave out calls without a name', () => {
    expect(passed([piece({ index: 0, name: 'now' })], [piece({ index: 1, args: '{}' })])).toEqual([
      { index: 0, start: { id: null, name: 'now' }, json: '{}' },
    ]);
  });
});

it('reads thousands of pieces of one delta in time', () => {
  const pieces = Array.from({ length: 20_000 }, (_, index) => piece({ index, id: `c${index}`, name: 'f', args: '{}' }));
  const began = process.cpuUsage();
  expect(collect(pieces)).toHaveLength(128);
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});

describe('arguments as servers send them', () => {
  const sent = (pieces: string[]): unknown[] => {
    const calls = new ToolCallDeltas();
    pieces.forEach((args, at) =>
      calls.push([piece(at === 0 ? { index: 0, id: 'c1', name: 'add', args } : { index: 0, args })]),
    );
    calls.finish();
    const json = calls
      .takeDeltas()
      .map((delta) => delta.json)
      .join('');
    return [json, ...calls.events().map(({ args, invalid }) => invalid ?? args)];
  };

  it.each([
    ['an empty object first', ['{}', '{"a":', '1}']],
    ['an empty object with blanks', ['{ } ', '\n', '{"a":1}']],
    ['null first, cut', ['nu', 'll', '{"a":1}']],
    ['twice', ['{"a":', '1}', '{"a":1}']],
    ['three times in one piece', ['{"a":1}{"a":1}{"a":1}']],
    ['the text so far in each piece', ['{"a', '{"a":1', '{"a":1}']],
    ['brackets behind them', ['{"a":1}', '}', ' ]\n']],
    ['in a text of JSON', ['"{\\"a\\":1}"']],
    ['in a text of JSON in pieces', ['"', '{\\"a\\', '":1}"']],
    ['in a text of JSON in pieces, and whole', ['"{\\"a\\', '":1}"', '"{\\"a\\":1}"']],
    ['in a text of JSON that grows', ['"{\\"a\\', '"{\\"a\\":1', '"{\\"a\\":1}"']],
  ])('are one object: %s', (_name, pieces) => {
    expect(sent(pieces)).toEqual(['{"a":1}', { a: 1 }]);
  });

  it.each([[['{}']], [['null']], [[' ', '{}', ' ']], [['']]])('are none for %j', (pieces) => {
    expect(sent(pieces)).toEqual(['{}', {}]);
  });

  it('keep brackets and quotes within texts', () => {
    const args = '{"a":"}\\"{","b":["]"]}';
    expect(sent([...args])).toEqual([args, { a: '}"{', b: [']'] }]);
  });

  it('in a text that is cut are those that are sent', () => {
    expect(sent(['"{\\"a', '\\":'])).toEqual(['"{\\"a\\":', 'The arguments are not valid JSON.']);
    const calls = new ToolCallDeltas();
    calls.push([piece({ index: 0, name: 'add', args: '"{\\"a' })]);
    expect([calls.areWhole, calls.areCut]).toEqual([false, true]);
  });

  it('in a text that is too long are passed on', () => {
    const pieces = ['"{\\"a\\":', ...Array<string>(70).fill('1'.repeat(1_000))];
    expect(sent(pieces)).toEqual([pieces.join(''), 'The arguments are too long.']);
  });

  it('are invalid when another object follows', () => {
    expect(sent(['{"a":1}', '{"b":2}'])).toEqual(['{"a":1}{"b":2}', 'The arguments are not valid JSON.']);
  });

  it('belong to another call when its name differs', () => {
    expect(
      collect([piece({ index: 0, name: 'add', args: '{"a":1}' })], [piece({ index: 0, name: 'sum', args: '{"b":2}' })]),
    ).toEqual([
      { id: null, name: 'add', args: { a: 1 } },
      { id: null, name: 'sum', args: { b: 2 } },
    ]);
  });
});
