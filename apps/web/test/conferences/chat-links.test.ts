import { expect, test } from 'vitest';
import { chatParts } from '../../src/lib/chatLinks.ts';

const links = (text: string) => chatParts(text).flatMap((part) => ('href' in part ? [part.href] : []));

test.each([
  ['see https://example.org/a?b=1#c', ['https://example.org/a?b=1#c']],
  ['http://10.0.0.1:8080.', ['http://10.0.0.1:8080']],
  ['(https://example.org/a_(b))', ['https://example.org/a_(b)']],
  ['write mailto:alice@example.org, or call tel:+861012345678', ['mailto:alice@example.org', 'tel:+861012345678']],
  ['请看https://example.org/病区，谢谢', ['https://example.org/病区']],
  ['HTTPS://EXAMPLE.ORG', ['HTTPS://EXAMPLE.ORG']],
  ['two: https://a.example https://b.example!', ['https://a.example', 'https://b.example']],
  ['javascript:alert(1) data:text/html,x file:///etc/passwd ftp://x vbscript:x', []],
  ['<a href="https://example.org">', ['https://example.org']],
  ['https://', []],
  ['plain words', []],
])('%s', (text, expected) => {
  expect(links(text)).toEqual(expected);
});

test('the joined parts equal the text', () => {
  const text = 'a https://example.org/x, b\nmailto:b@example.org. c';
  expect(
    chatParts(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text);
  expect(new Set(chatParts(text).map((part) => part.start)).size).toBe(chatParts(text).length);
});
