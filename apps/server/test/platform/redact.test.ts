import { expect, test } from 'vitest';
import { redact } from '../../src/platform/log/redact.ts';

test('secrets are removed wherever they occur', () => {
  const said = JSON.stringify(
    redact({
      password: 'p-1',
      body: { meetingPassword: 'p-2', items: [{ sessionToken: 'p-3' }] },
      headers: { authorization: 'Bearer p-4', cookie: 'p-5' },
      url: '/rtc/v1?access_token=p-6&x=1',
      link: 'http://h/#/join?number=1&pwd=p-7',
      phone: 'p-8',
      email: 'p-9',
    }),
  );
  expect(said).not.toMatch(/p-\d/);
  expect(said).toContain('x=1');
});

test.each(['+8613812345678', '13812345678', '+442071838750'])(
  'the telephone number %s is masked inside a text',
  (number) => {
    expect(redact({ note: `call ${number} back` })).toEqual({ note: 'call *** back' });
  },
);

test('ids, numbers of meetings and times are kept', () => {
  const fields = {
    meetId: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11',
    numericId: '482913057',
    at: '2026-11-20T09:00:00.000Z',
    ms: 12,
    ok: true,
  };
  expect(redact(fields)).toEqual(fields);
});

test('an error keeps its type, message and causes, but not the values of a statement', () => {
  const failed = Object.assign(new Error('Failed query: update x\nparams: hunter2'), {
    query: 'update x',
    params: ['hunter2'],
    cause: new Error('duplicate key'),
  });
  const said = redact({ error: failed }) as { error: { message: string; cause: { message: string } } };
  expect(said.error).toMatchObject({ message: 'Failed query: update x', cause: { message: 'duplicate key' } });
  expect(JSON.stringify(said)).not.toContain('hunter2');
});
