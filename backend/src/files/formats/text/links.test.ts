import { addressBehind, OpenLinks, shownAddress } from './links.js';

it.each([
  ['https://example.com/plan', 'https://example.com/plan'],
  ['HTTP://example.com', 'HTTP://example.com'],
  ['mailto:ani@example.com?subject=Plan', 'ani@example.com'],
  ['mailto:ani%2Bplan@example.com', 'ani+plan@example.com'],
  ['tel:+62-21-5550', '+62-21-5550'],
  ['https://example.com/a b', 'https://example.com/ab'],
  // What a program has put before the real address.
  [
    'https://www.google.com/url?q=https://example.com/plan?a%3D1&sa=D&source=editors&ust=1',
    'https://example.com/plan?a=1',
  ],
  [
    'https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.com%2Fplan&data=05%7C01',
    'https://example.com/plan',
  ],
  ['https://www.google.com/url?q=javascript:alert(1)', 'https://www.google.com/url?q=javascript:alert(1)'],
  [`https://example.com/track?id=${'a'.repeat(400)}`, 'https://example.com/track?…'],
  [`https://example.com/${'a'.repeat(400)}`, `https://example.com/${'a'.repeat(280)}…`],
  ['https://example.com/><script>', 'https://example.com/script'],
])('%s is shown as %s', (given, shown) => {
  expect(shownAddress(given)).toBe(shown);
});

it.each([
  'javascript:alert(1)',
  'file:///etc/passwd',
  'data:text/html,x',
  'C:\\plan.docx',
  'plan.docx',
  '#part',
  '',
  'https://',
])('an address that leads nowhere is not shown: %s', (given) => {
  expect(shownAddress(given)).toBe('');
});

it.each([
  ['our plan', 'https://example.com/plan', ' <https://example.com/plan>'],
  ['www.example.com', 'https://example.com/', ''],
  ['see https://example.com/plan.', 'https://example.com/plan', ''],
  ['Example.com', 'http://www.example.com', ''],
  ['example.com', 'https://example.com.attacker.example/', ' <https://example.com.attacker.example/>'],
  ['ani@example.com', 'mailto:ani@example.com', ''],
  ['+62 21 5550', 'tel:+62215550', ''],
  [' ', 'https://example.com', ''],
  ['run', 'javascript:alert(1)', ''],
  // Its letters alone, in those of another one.
  ['microsoft.com', 'https://t.co/', ' <https://t.co/>'],
  ['login.paypal.com', 'https://paypal.com', ' <https://paypal.com>'],
  ['paypal.com.example.org', 'https://paypal.com', ' <https://paypal.com>'],
  ['https://example.com/plan-b', 'https://example.com/plan', ' <https://example.com/plan>'],
  ['https://example.com/plan?draft=1', 'https://example.com/plan', ' <https://example.com/plan>'],
  ['https://example.org/https://example.com', 'https://example.com', ' <https://example.com>'],
  ['example.com:8443', 'https://example.com', ' <https://example.com>'],
  ['boss@example.com', 'https://example.com', ' <https://example.com>'],
  ['anna.bani@example.com', 'mailto:bani@example.com', ' <bani@example.com>'],
  ['0301234567', 'tel:030123', ' <030123>'],
  ['+49 30 123', 'tel:+4930', ' <+4930>'],
  ['our plan', 'https://www.', ''],
  // The address itself, as people write it.
  ['see example.com/ today', 'https://example.com/', ''],
  ['(https://www.example.com/plan)', 'https://example.com/plan', ''],
  ['microsoft.com, or t.co', 'https://t.co', ''],
  ['https://example.com/a-long-\npath/of-a-plan', 'https://example.com/a-long-path/of-a-plan', ''],
  ['Write to Ani <ani@example.com>!', 'mailto:ani@example.com', ''],
  ['Call (030) 12-34 56.', 'tel:030123456', ''],
])('behind “%s” of %s stands “%s”', (text, address, shown) => {
  expect(addressBehind(text, address)).toBe(shown);
});

describe('links that are open', () => {
  it('end in the order in which they begin, each with its own text', () => {
    const links = new OpenLinks();
    links.start('https://example.com/one');
    links.add('outer ');
    expect(links.startField(' HYPERLINK "https://example.com/two" \\t "_blank" ')).toBe(true);
    links.add('inner');
    expect([links.end(), links.end(), links.end()]).toEqual([
      ' <https://example.com/two>',
      ' <https://example.com/one>',
      '',
    ]);
  });

  it.each(['PAGEREF _Toc1 \\h', 'HYPERLINK', 'HYPERLINK \\l "part"'])('no field begins one with: %s', (instruction) => {
    expect(new OpenLinks().startField(instruction)).toBe(false);
  });
});
