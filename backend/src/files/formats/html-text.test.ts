import { readHtml, readHtmlText } from './html-text.js';

const TYPE = 'text/html; charset=utf-8';
const SENTENCE = 'Kapal layar itu berlabuh di pelabuhan lama saat fajar. ';

const read = (html: string, type = TYPE) => readHtml(Buffer.from(html), type);

describe('readHtml', () => {
  it('reads the article of a page without its surroundings', () => {
    const { title, text } = read(
      `<!doctype html><html><head><title>Pelabuhan</title></head><body><nav>Menu</nav>
      <article><h1>Pelabuhan</h1>${`<p>${SENTENCE.repeat(6)}</p>`.repeat(6)}<ul><li>Rempah</li></ul></article>
      <footer>Footer</footer><script>alert(1)</script></body></html>`,
    );
    expect(title).toBe('Pelabuhan');
    expect(text).toContain(SENTENCE.trim());
    expect(text).toMatch(/- Rempah/);
    expect(text).not.toMatch(/Menu|Footer|alert|<p>/);
  });

  it.each([
    ['a page without html, head and body', '<title>T</title><p>One.<p>Two.'],
    ['a page without a body tag', '<html><head><title>T</title></head><p>One.<p>Two.</html>'],
    ['a short page', '<html><body><h1>T</h1><p>One.</p><p>Two.</p></body></html>'],
  ])('reads %s', (_, html) => {
    const { title, text } = read(html);
    expect(title).toBe('T');
    expect(text).toMatch(/One\.\n+Two\./);
  });

  it('keeps the rows of a table and drops addresses and pictures', () => {
    const { text } = read(
      '<body><table><tr><th>City</th><th>Rain</th></tr><tr><td>Bogor</td><td>3 mm</td></tr></table>' +
        '<p><a href="https://a.example/x">Link</a><img src="x.png" alt="Picture"></p></body>',
    );
    expect(text).toMatch(/City\tRain\nBogor\t3 mm/);
    expect(text).toContain('Link');
    expect(text).not.toMatch(/a\.example|Picture|x\.png/);
  });

  it('keeps the columns below cells that cover several, and captions', () => {
    const { text } = read(
      '<body><table><caption>Rain</caption><thead><tr><th rowspan="2">City<th colspan="2">May<th>June</thead>' +
        '<tbody><tr><td>1<td>2<td>3<tr><td></tr><tr><td>Bogor<td><p>4</p><td>5</table>',
    );
    expect(text).toBe('Rain\n\nCity\tMay\t\tJune\n\t1\t2\t3\nBogor\t4\t5');
  });

  it.each([
    ['10<sup>6</sup> m<sup>2</sup>', '10⁶ m²'],
    ['the 1<sup>st</sup> of<sup>[2]</sup> x<sup>n + 1</sup>', 'the 1st of[2] xⁿ ⁺ ¹'],
    ['was <del>100</del> <s>90</s> 80', 'was ~~100~~ ~~90~~ 80'],
    ['<ruby>東京<rt>とうきょう</rt></ruby>へ', '東京(とうきょう)へ'],
    ['<ruby>漢<rp>（</rp><rt>かん</rt><rp>）</rp>字<rp>（</rp><rt>じ</rt><rp>）</rp></ruby>', '漢(かん)字(じ)'],
  ])('keeps exponents, readings and struck letters apart: %s', (html, text) => {
    expect(readHtmlText(Buffer.from(`<p>${html}</p>`), TYPE)).toBe(text);
  });

  it('has every row of a long table, each as long as its own text', () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `<tr style="${'x'.repeat(60)}"><td>${index}<td>b`);
    const text = readHtmlText(Buffer.from(`<table><tr><td>${'long '.repeat(50)}<td>b${rows.join('')}</table>`), '');
    expect(text.split('\n')).toHaveLength(60_001);
    expect(text.endsWith('59998\tb\n59999\tb')).toBe(true);
  });

  it.each([
    ['text/html; charset=iso-8859-1', Buffer.from('<p>café</p>', 'latin1')],
    ['text/html', Buffer.from('<meta charset="windows-1252"><p>café</p>', 'latin1')],
    ['text/html', Buffer.from('\ufeff<p>café</p>', 'utf16le')],
    ['text/html; charset=no-such', Buffer.from('<p>café</p>')],
  ])('decodes %s, case %#', (type, bytes) => {
    expect(readHtml(bytes, type).text).toBe('café');
  });

  it.each(['', '<', '<html>', '<html><body><script>render()</script></body></html>', '<!-- -->', '\0'])(
    'finds no text in %j',
    (html) => {
      expect(read(html).text.replaceAll('\0', '').replace('<', '').trim()).toBe('');
    },
  );

  it('survives deep nesting', () => {
    expect(() => read(`<body>${'<div>'.repeat(500)}x`)).not.toThrow();
  });
});

describe('a document in HTML', () => {
  const text = (html: string) => readHtmlText(Buffer.from(`<body>${html}</body>`), TYPE);

  it.each([
    [
      '<dl><dt>Coffee</dt><dd>Black hot drink</dd><dt>Milk</dt><dd>White</dd></dl>',
      'Coffee\nBlack hot drink\nMilk\nWhite',
    ],
    ['<details><summary>Costs</summary>Ten euros</details>', 'Costs\nTen euros'],
    ['<figure><img src="a.png"><figcaption>Sales</figcaption></figure>after', 'Sales\nafter'],
    ['<address>First Street 1</address><center>Title</center>text', 'First Street 1\nTitle\ntext'],
    ['<fieldset><legend>Who</legend>Ani</fieldset><menu><li>one<li>two</menu>', 'Who\nAni\none\ntwo'],
  ])('has a line for each of its parts: %s', (html, shown) => {
    expect(text(html)).toBe(shown);
  });

  it.each([
    ['<div style="display:none">For your inbox</div>Hello', '[hidden: For your inbox]\nHello'],
    ['<span style="color:red; DISPLAY: NONE !important">Preview</span>Hello', '[hidden: Preview]\nHello'],
    ['<p hidden>old</p>new', '[hidden: old]\nnew'],
    ['<p style="visibility:hidden">a<b>b</b></p>c', '[hidden: ab]\nc'],
    ['<div style="display:none">&nbsp;&zwnj;&#847; </div>Hello', 'Hello'],
    ['<img style="display:none" src="x" alt="pixel">Hello', 'Hello'],
    ['<table style="display:none"><tr><td>a</td><td>b</td></tr></table>c', '[hidden:\na\tb\n]\nc'],
    ['<div hidden>one <p style="display:none">two</p></div>three', '[hidden: one\ntwo\n]\nthree'],
    ['<div style="display:inline-block">shown</div>', 'shown'],
  ])('marks what it does not show: %s', (html, shown) => {
    expect(text(html).replace(/\s*\n+\s*/g, '\n')).toBe(shown);
  });

  it('has its words without the places at which they may be divided', () => {
    expect(text('<p>syl\u00adla&shy;ble</p>')).toBe('syllable');
  });

  it('has the values of its fields, as a saved page shows them', () => {
    const fields =
      '<p>Name <input value="Ani"></p><p>Age <input TYPE="Number" value="41"></p><p><input type=checkbox checked> Married</p>' +
      '<p><input type="radio"> None</p><p>City <select><option>Bandung<optgroup><option selected>Surabaya</optgroup></select></p>' +
      '<p>Kind <select><option>Flat<option>House</select></p><p>Days <select multiple><option>Mon<option selected>Tue<option selected>Wed</select></p>' +
      '<p>Note <textarea>By hand</textarea></p><input type="hidden" value="token"><input type="password" value="secret">' +
      '<input type="submit" value="Send"><button>Go</button>';
    const lines = text(fields).split(/\n+/);
    expect(lines.map((line) => line.trim().replace(/\s+/g, ' ')).filter(Boolean)).toEqual([
      ...[
        'Name Ani',
        'Age 41',
        '[x] Married',
        '[ ] None',
        'City Surabaya',
        'Kind Flat',
        'Days Tue Wed',
        'Note By hand',
      ],
    ]);
  });

  describe('deeper than is converted', () => {
    const quoted = (count: number): string =>
      Array.from({ length: count }, (_, at) => `<div><blockquote><p>reply ${at}</p>`).join('');

    it('has every reply of a long exchange, each in a line', () => {
      const lines = text(`${quoted(400)}end`).split(/\n+/);
      expect(lines.map((line) => line.replace(/^[> ]+/, '')).filter(Boolean)).toEqual([
        ...Array.from({ length: 400 }, (_, at) => `reply ${at}`),
        'end',
      ]);
    });

    it('has the texts of elements that an old page does not close, in a mail without a body', () => {
      const page = Array.from({ length: 3_000 }, (_, at) => `<font color="red"><b>word${at} </b>`).join('');
      const shown = readHtmlText(Buffer.from(page), TYPE);
      expect(shown.match(/word\d+/g)).toHaveLength(3_000);
      expect(shown).toContain('word2998 word2999');
    });

    const deep = '<div>'.repeat(1_000);

    it.each([
      ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', ['a b', 'c']],
      ['<ul><li>one</li><li>two</li></ul>', ['one', 'two']],
      ['a<br>b<script>x()</script><style>y</style>', ['a', 'b']],
      ['<img alt="Our logo"><p>see', ['[picture: Our logo]', 'see']],
      ['<p style="display:none">for filters</p>shown', ['[hidden: for filters]', 'shown']],
    ])('has the texts of %s', (html, lines) => {
      const shown = text(`${deep}${html}`).split('\n');
      expect(shown.map((line) => line.trim().replace(/\s+/g, ' ')).filter(Boolean)).toEqual(lines);
    });

    it('has bodies inside one another, each of which is read once', () => {
      const start = process.cpuUsage();
      expect(text(`${'<body>'.repeat(200)}${'<p>x</p>'.repeat(100_000)}`).match(/x/g)).toHaveLength(100_000);
      expect(process.cpuUsage(start).user).toBeLessThan(5_000_000);
    });

    it('is read in time', () => {
      const start = process.cpuUsage();
      expect(text('<div>x'.repeat(20_000)).match(/x/g)).toHaveLength(20_000);
      expect(process.cpuUsage(start).user).toBeLessThan(20_000_000);
    });
  });

  it('whose elements are not shown, without end, is read', () => {
    const deep = '<div style="display:none">'.repeat(20_000);
    expect(text(`${deep}x`)).toContain('hidden');
  });
});
