import { describe, expect, test } from 'vitest';
import { announcementBlocks, cleanAnnouncement, isAppAddress, isLinkable } from '../src/index.ts';

describe('the text of an announcement', () => {
  test.each([
    ['plain text with a < b and c > d', 'plain text with a < b and c > d'],
    ['one\r\ntwo\rthree  \n\n\n\nfour', 'one\ntwo\nthree\n\nfour'],
    ['<b>bold</b> <img src=x onerror=alert(1)>', 'bold'],
    ['a<script>alert(1)</script >b<style>p{}</style>', 'ab'],
    ['<scr<script>x</script>ipt>alert(1)</script>', ''],
    ['a<!-- hidden -->b', 'ab'],
    ['\u202Eevil\u0000 \uFEFF', 'evil'],
    ['<br>', ''],
  ])('%j is stored as %j', (given, stored) => {
    expect(cleanAnnouncement(given)).toBe(stored);
    expect(cleanAnnouncement(stored)).toBe(stored);
  });

  test('is read as headings, paragraphs and lists', () => {
    const blocks = announcementBlocks('# Water\nNo water.\nNot at all.\n\n- one\n- two\n1. first\n2、second');
    expect(blocks.map(({ kind, lines }) => [kind, lines.map((runs) => runs.map(({ text }) => text).join(''))])).toEqual(
      [
        ['heading', ['Water']],
        ['paragraph', ['No water.', 'Not at all.']],
        ['list', ['one', 'two']],
        ['numbered', ['first', 'second']],
      ],
    );
  });

  test('has bold runs and links; other addresses stay text', () => {
    const [block] = announcementBlocks(
      '**Now** see [the page](https://example.org/a) or https://example.org/b，[x](javascript:1)',
    );
    expect(block?.lines[0]).toEqual([
      { text: 'Now', isBold: true, href: null },
      { text: ' see ', isBold: false, href: null },
      { text: 'the page', isBold: false, href: 'https://example.org/a' },
      { text: ' or ', isBold: false, href: null },
      { text: 'https://example.org/b', isBold: false, href: 'https://example.org/b' },
      { text: '，', isBold: false, href: null },
      { text: '[x](javascript:1)', isBold: false, href: null },
    ]);
  });
});

test.each([
  ['https://example.org/', true, true],
  ['http://example.org/', true, false],
  ['mailto:desk@example.org', true, false],
  ['tel:+861012345', true, false],
  ['/#/myMeeting', true, true],
  ['//example.org/', false, false],
  ['/\\example.org/', false, false],
  ['/\t/example.org/', false, false],
  ['javascript:alert(1)', false, false],
  ['java\nscript:alert(1)', false, false],
  ['data:text/html,x', false, false],
  ['https://name@example.org/', false, false],
  ['https:example.org\\@evil', false, false],
  ['example.org', false, false],
])('the address %j: linkable %s, of an app %s', (address, linkable, ofApp) => {
  expect([isLinkable(address), isAppAddress(address)]).toEqual([linkable, ofApp]);
});
