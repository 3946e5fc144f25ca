import { expect, test } from 'vitest';
import { meetingBody, smsGateway } from '../src/index.ts';
import { line } from '../src/line.ts';

test('a subject and a name are one line, whatever is typed or pasted', () => {
  expect(meetingBody.shape.subject.parse(' Ward round\r\nBcc: all@example.org\t\u2028now\0 ')).toBe(
    'Ward round Bcc: all@example.org now',
  );
  expect(line().parse('病例讨论\n\n骨科')).toBe('病例讨论 骨科');
  expect(line().min(1).safeParse('\n\u2029').success).toBe(false);
});

test('a meeting starts early enough that it and its series end before the year 10000', () => {
  for (const [start, fits] of [
    ['9989-12-31T23:59:00Z', true],
    ['9990-01-01T00:00:00Z', false],
    ['9999-12-31T23:59:00Z', false],
    ['9990-01-01T05:00:00+08:00', true],
  ] as const) {
    expect(meetingBody.shape.startTime.safeParse(start).success, start).toBe(fits);
  }
});

test.each([
  'Host',
  'content-length',
  'Transfer-Encoding',
  'Connection',
  'TE',
  'Trailer',
  'Upgrade',
  'Expect',
  'Keep-Alive',
  'Proxy-Authorization',
])('a tenant cannot set the header %s of a gateway', (name) => {
  const headersOf = (header: string) => smsGateway.shape.headers.safeParse([{ name: header, value: 'x' }]).success;
  expect([headersOf(name), headersOf(`X-${name}`)]).toEqual([false, true]);
});
