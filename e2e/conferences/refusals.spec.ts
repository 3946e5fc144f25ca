import { startServer, type PageMedia } from '@rmeet/testkit';
import { LOCALES } from '../pages.ts';
import { bookMeeting, expect, join, seesPeople, signIn, signInElsewhere, test } from '../support.ts';

/** Each failure, and the page's message in both languages. */
const refusals: {
  what: string;
  media?: Partial<PageMedia>;
  input: 'wrong password' | 'unknown number' | 'ended' | 'preview';
  zh: RegExp;
  en: RegExp;
}[] = [
  {
    what: 'a wrong meeting password',
    input: 'wrong password',
    zh: /会议密码错误/,
    en: /The meeting password is wrong/,
  },
  {
    what: 'an unknown number',
    input: 'unknown number',
    zh: /会议号不存在/,
    en: /There is no meeting with this number/,
  },
  { what: 'an ended meeting', input: 'ended', zh: /会议已结束/, en: /This meeting has ended/ },
  {
    what: 'a refused camera',
    media: { refuse: 'NotAllowedError' },
    input: 'preview',
    zh: /权限|允许|拒绝/,
    en: /allow|permission|refused|blocked/i,
  },
  {
    what: 'a camera in use by another program',
    media: { refuse: 'NotReadableError' },
    input: 'preview',
    zh: /摄像头正被其他程序占用/,
    en: /The camera is in use by another program/,
  },
  {
    what: 'no camera',
    media: { refuse: 'NotFoundError' },
    input: 'preview',
    zh: /未找到|没有找到|未检测到|没有/,
    en: /found|no camera/i,
  },
];

for (const { what, media, input, zh, en } of refusals) {
  for (const locale of LOCALES) {
    const sentence = { 'zh-CN': zh, 'en-US': en }[locale];
    test(`${what} shows its sentence in ${locale}`, async ({ server, open }) => {
      const chair = await server.api.as('chair');
      const meeting = await bookMeeting(chair, what);
      if (input === 'ended') {
        await chair.meetings.start({ params: { id: meeting.meetId }, body: { early: true } });
        await chair.conferences.end({ params: { meetId: meeting.meetId } });
      }
      const page = await open('carol', { locale, ...(media ? { media } : {}) });
      if (input === 'preview') {
        await page.goto(`${server.url}/#/join?number=${meeting.numericId}`);
        await expect(page.getByTestId('device-error').first()).toContainText(sentence);
      } else {
        const number = input === 'unknown number' ? otherNumber(meeting.numericId) : meeting.numericId;
        await join(page, server, {
          number,
          password: input === 'wrong password' ? 'wrong1' : meeting.password,
          name: 'Carol',
        });
        await expect(page.getByTestId('join-error').first()).toContainText(sentence);
      }
    });
  }
}

/** A number different from the given one; the chance that it belongs to another meeting is one in millions. */
function otherNumber(number: string): string {
  return number.startsWith('1') ? `2${number.slice(1)}` : `1${number.slice(1)}`;
}

test('a full meeting shows its sentence in both languages', { tag: '@more' }, async ({ open }) => {
  const server = await startServer({ env: { RMEET_CONFERENCE_CAPACITY: '2' } });
  try {
    const { numericId: number, password } = await bookMeeting(await server.api.as('chair'), 'Small');
    const alice = await open('alice');
    await join(alice, server, { number, password, name: 'Alice' });
    await join(await open('bob'), server, { number, password, name: 'Bob' });
    await seesPeople(alice, ['bob']);
    for (const [locale, sentence] of [
      ['zh-CN', /会议人数已满/],
      ['en-US', /The meeting is full/],
    ] as const) {
      const page = await open('carol', { locale });
      await join(page, server, { number, password, name: 'Carol' });
      await expect(page.getByTestId('join-error').first()).toContainText(sentence);
    }
  } finally {
    await server.stop();
  }
});

test('a wrong account password shows its sentence in both languages', async ({ server, open }) => {
  for (const [locale, sentence] of [
    ['zh-CN', /账号、密码或单位错误/],
    ['en-US', /account, password or organisation is wrong/],
  ] as const) {
    const page = await open('carol', { locale });
    await page.goto(`${server.url}/#/login`);
    await page.getByTestId('login-account').fill('nobody');
    await page.getByTestId('login-password').fill('wrong');
    await page.getByTestId('login-submit').click();
    await expect(page.getByTestId('login-error')).toContainText(sentence);
  }
});

test('a person without camera or microphone joins and sees the others', async ({ server, open }) => {
  const { numericId: number, password } = await bookMeeting(await server.api.as('chair'), 'Listeners');
  const carol = await open('carol', { media: { refuse: 'NotFoundError' } });
  const bob = await open('bob');
  await join(bob, server, { number, password, name: 'Bob' });
  await join(carol, server, { number, password, name: 'Carol' });
  await seesPeople(carol, ['bob']);
});

test('signing in on another device ends the first session with a dialog', async ({ server, open }) => {
  const first = await open('alice');
  await signIn(first, server, 'bob');
  await signInElsewhere(server, 'bob');
  // By address: the dialog may appear before, with another request of the page, and then it covers the buttons.
  await first.goto(`${server.url}/#/myMeeting?view=list`);
  await expect(first.getByRole('dialog')).toContainText(/其他设备登录/);
});
