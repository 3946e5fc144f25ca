import { closePage, openPage, until } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { LOOKS, looksRight } from '../pages.ts';
import { screen } from './layouts-support.ts';
import { expect, isTold, test } from './support.ts';

const PHONE = { width: 390, height: 780 };
const WIDE = { width: 1280, height: 800 };
const WORDS = {
  'zh-CN': {
    line: '请各科室将手机调至静音',
    question: '是否同意将疑难病例讨论会改为每周四下午两点召开？',
    options: ['同意', '不同意', '弃权'],
    language: 'zh',
  },
  'en-US': {
    line: 'Please put your phones on silent',
    question: 'Shall the difficult-case conference move to Thursdays at 2 p.m.?',
    options: ['Yes', 'No', 'Abstain'],
    language: 'en',
  },
} as const;

/** Saves a screenshot, if the caller requests it. */
async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env['RMEET_TEST_PICTURES'];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Positions of captions, pictures and controls, in pixels. */
async function boxes(page: Page): Promise<Record<'captions' | 'stage' | 'toolbar', Box>> {
  return page.evaluate(`Object.fromEntries(Object.entries({
    captions: '[data-testid=captions]', stage: '.stage', toolbar: '[role=toolbar]',
  }).map(([name, selector]) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [name, { x, y, width, height }];
  }))`);
}

/** Captions lie within the pictures, take at most a third of their height, and do not cover the controls. */
async function staysInPlace(page: Page, what: string): Promise<void> {
  const { captions, stage, toolbar } = await boxes(page);
  expect(captions.height, what).toBeLessThanOrEqual(stage.height / 3 + 1);
  expect(captions.x, what).toBeGreaterThanOrEqual(stage.x - 1);
  expect(captions.x + captions.width, what).toBeLessThanOrEqual(stage.x + stage.width + 1);
  expect(captions.y, what).toBeGreaterThanOrEqual(stage.y - 1);
  expect(captions.y + captions.height, what).toBeLessThanOrEqual(toolbar.y);
}

for (const locale of LOOKS) {
  const words = WORDS[locale];
  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  test(`captions in ${locale}: everywhere in every size, however long, for all and for one`, async ({
    gather,
    chromium,
    server,
  }) => {
    const meeting = await gather();
    const { caption, captionFor } = screen(meeting);
    const [alice, bob] = [
      await meeting.enter('alice', { locale, size: WIDE, still: false }),
      await meeting.enter('bob', { locale, size: PHONE }),
    ];
    const captions = (page: Page) => page.getByTestId('captions');

    for (const position of ['TOP', 'MIDDLE', 'BOTTOM'] as const) {
      for (const size of ['SMALL', 'MEDIUM', 'LARGE'] as const) {
        await caption({ text: `${words.line}\n${position} ${size}`, position, size, language: words.language });
        for (const { page } of [alice, bob]) {
          await expect(captions(page)).toContainText(`${position} ${size}`);
          await staysInPlace(page, `${position} ${size}`);
          const { captions: box, stage } = await boxes(page);
          const middle = (box.y + box.height / 2 - stage.y) / stage.height;
          expect(
            position === 'TOP' ? middle < 0.35 : position === 'BOTTOM' ? middle > 0.65 : Math.abs(middle - 0.5) < 0.05,
            `${position} at ${middle}`,
          ).toBe(true);
        }
      }
      await keepPicture(alice.page, `captions-${position}-${locale}-wide`);
      await keepPicture(bob.page, `captions-${position}-${locale}-phone`);
    }
    await expect(captions(alice.page)).toHaveAttribute('lang', words.language === 'zh' ? 'zh-CN' : 'en');
    await expect(alice.page.getByTestId('captions-frame')).toHaveAttribute('role', 'status');

    await test.step('at the longest they scroll inside, by keyboard too', async () => {
      await caption({
        text: Array.from({ length: 60 }, (_, at) => `${at + 1} ${words.line}`)
          .join('\n')
          .slice(0, 2_000),
        size: 'LARGE',
        language: words.language,
      });
      for (const [at, { page }] of [alice, bob].entries()) {
        await expect(captions(page)).toContainText('1 ');
        await staysInPlace(page, 'long');
        await captions(page).focus();
        await page.keyboard.press('End');
        await until('the end is seen', () =>
          captions(page).evaluate((box) => box.scrollHeight > box.clientHeight && box.scrollTop > 0),
        );
        await looksRight(page, 'long captions');
        await keepPicture(page, `captions-long-${locale}-${at}`);
      }
      await bob.page.setViewportSize({ width: PHONE.height, height: PHONE.width });
      await until('the phone is turned', async () => (await boxes(bob.page)).stage.width > PHONE.width);
      await staysInPlace(bob.page, 'a phone held sideways');
      await keepPicture(bob.page, `captions-long-${locale}-sideways`);
      await bob.page.setViewportSize(PHONE);
    });
    await test.step('lines scroll through, and stand still with reduced motion', async () => {
      for (const scroll of ['LEFT', 'UP'] as const) {
        await caption({ text: `${words.line}\n${words.line}`, scroll, language: words.language });
        await expect(captions(alice.page)).toHaveAttribute('data-scroll', scroll);
        const isMoving = () =>
          alice.page.evaluate<boolean>(
            `document.querySelector('[data-testid=captions]').getAnimations({ subtree: true }).length > 0`,
          );
        expect(await isMoving()).toBe(true);
        await staysInPlace(alice.page, scroll);
        await keepPicture(alice.page, `captions-${scroll}-${locale}`);
        await alice.page.emulateMedia({ reducedMotion: 'reduce' });
        expect(await isMoving()).toBe(false);
        await expect(captions(alice.page)).toBeInViewport();
        await alice.page.emulateMedia({ reducedMotion: 'no-preference' });
      }
    });
    await test.step('captions for one terminal replace those for all', async () => {
      await captionFor(bob.termId, { text: 'Bob' });
      await expect(captions(bob.page)).toHaveText('Bob');
      await expect(captions(alice.page)).toContainText(words.line);
      await captionFor(bob.termId, { text: '' });
      await expect(captions(bob.page)).toContainText(words.line);
    });
    await test.step('the desk shows captions as terminals see them', async () => {
      const desk = await openPage(chromium, { locale });
      await desk.context().setStorageState({
        cookies: [],
        origins: [
          {
            origin: server.url,
            localStorage: [
              { name: 'token', value: meeting.host.token },
              { name: 'loginUser', value: JSON.stringify(meeting.host.user) },
            ],
          },
        ],
      });
      await desk.goto(`${server.url}/#/meetingControl?meetId=${meeting.meetId}`);
      await expect(desk.getByTestId('desk-preview').getByTestId('captions')).toContainText(words.line);
      await keepPicture(desk, `captions-desk-${locale}`);
      await closePage(desk);
    });
    await test.step('captions disappear when their time is over, or when the chair clears them', async () => {
      await caption({ text: words.line, seconds: 2, language: words.language });
      await expect(captions(alice.page)).toHaveText(words.line);
      for (const { page } of [alice, bob]) await expect(captions(page)).toHaveCount(0, { timeout: 6_000 });
      await caption({ text: words.line, language: words.language });
      await expect(captions(bob.page)).toHaveCount(1);
      await caption({ text: '' });
      for (const { page } of [alice, bob]) await expect(captions(page)).toHaveCount(0);
    });
  });

  // oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
  test(`votes, timers and roll calls in ${locale}, as people see them`, async ({ gather }) => {
    const meeting = await gather();
    const { conferences } = meeting.host;
    const params = { meetId: meeting.meetId };
    const [alice, bob] = [
      await meeting.enter('alice', { locale, size: WIDE }),
      await meeting.enter('bob', { locale, size: PHONE }),
    ];
    const both = [alice, bob] as const;
    const vote = (page: Page) => page.getByTestId('vote');
    const picture = async (name: string): Promise<void> => {
      for (const [at, { page }] of both.entries()) {
        await looksRight(page, name);
        await keepPicture(page, `${name}-${locale}-${at === 0 ? 'wide' : 'phone'}`);
      }
    };

    await test.step('a vote by keyboard; the choice is kept, and may change', async () => {
      await conferences.openVote({ params, body: { question: words.question, options: [...words.options] } });
      for (const { page } of both) await expect(vote(page).getByTestId('vote-question')).toHaveText(words.question);
      await expect(vote(alice.page)).toContainText(locale === 'zh-CN' ? '不记名表决' : 'Secret vote');
      await expect(vote(alice.page).getByRole('radio').first()).toBeFocused();
      await picture('vote');
      await alice.page.keyboard.press('ArrowDown');
      await alice.page.keyboard.press('Enter');
      await expect(vote(alice.page).getByTestId('vote-status')).toContainText(words.options[1]);
      for (const { page } of both) await expect(vote(page).getByTestId('vote-status')).toContainText('1');
      await alice.page.getByTestId('vote-option-0').check();
      await alice.page.getByTestId('vote-submit').click();
      await expect(vote(alice.page).getByTestId('vote-status')).toContainText(words.options[0]);
      await bob.page.getByTestId('vote-option-2').check();
      await bob.page.getByTestId('vote-submit').click();
      await expect(vote(alice.page).getByTestId('vote-status')).toContainText('2');
    });
    await test.step('a vote put aside reopens with the choice made; late joiners are asked too', async () => {
      await alice.page.keyboard.press('Escape');
      await expect(vote(alice.page)).toHaveCount(0);
      await alice.page.getByTestId('vote-open').click();
      await expect(alice.page.getByTestId('vote-option-0')).toBeChecked();
      const carol = await meeting.enter('carol', { locale });
      await expect(vote(carol.page).getByTestId('vote-question')).toHaveText(words.question);
      await carol.page.getByTestId('vote-later').click();
      await alice.page.keyboard.press('Escape');
      await bob.page.keyboard.press('Escape');
    });
    await test.step('all see the result, until the chair removes it', async () => {
      await conferences.closeVote({ params });
      for (const { page } of both) {
        await expect(page.getByTestId('vote-result-0')).toContainText('1');
        await expect(page.getByTestId('vote-result-0')).toContainText('50%');
        await expect(page.getByTestId('vote-result-1')).toContainText('0%');
      }
      await picture('vote-result');
      await conferences.dismissVote({ params });
      for (const { page } of both) await expect(vote(page)).toHaveCount(0);
      await conferences.openVote({
        params,
        body: { question: words.question, options: [...words.options], isSecret: false },
      });
      await expect(vote(alice.page)).toContainText(locale === 'zh-CN' ? '记名表决' : 'Open vote');
      await conferences.dismissVote({ params });
      await expect(vote(alice.page)).toHaveCount(0);
    });
    await test.step('a timer shows the speaker, the time left, the end and the pause', async () => {
      const timer = (page: Page) => page.getByTestId('timer');
      await conferences.startTimer({ params, body: { termId: alice.termId, seconds: 120 } });
      await expect(timer(bob.page)).toContainText('Alice');
      await expect(timer(alice.page)).toContainText(locale === 'zh-CN' ? '您的发言时间' : 'Your time');
      for (const { page } of both) await expect(page.getByTestId('timer-left')).toHaveText(/^(2:00|1:5\d)$/);
      await conferences.changeTimer({ params, body: { action: 'pause' } });
      for (const { page } of both) await expect(timer(page)).toHaveAttribute('data-look', 'paused');
      await conferences.changeTimer({ params, body: { action: 'add', seconds: -113 } });
      // A state that lasts only seconds is awaited before it begins, in all pages in parallel: sequential checks could
      // be too late.
      const look = (wanted: string) => both.map(({ page }) => expect(timer(page)).toHaveAttribute('data-look', wanted));
      const warned = [...look('warning'), conferences.changeTimer({ params, body: { action: 'resume' } })];
      await Promise.all(warned);
      await Promise.all([...look('over'), expect(bob.page.getByTestId('timer-left')).toHaveText(/^-0:0\d$/)]);
      await conferences.stopTimer({ params });
      for (const { page } of both) await expect(timer(page)).toHaveCount(0);
    });
    await test.step('a roll call: the called person knows, and all see the progress', async () => {
      await conferences.startRollCall({ params, body: { termIds: [bob.termId, alice.termId] } });
      await expect(bob.page.getByTestId('called')).toBeVisible();
      await expect(alice.page.getByTestId('called')).toHaveCount(0);
      for (const { page } of both) await expect(page.getByTestId('roll-call')).toContainText('Bob');
      await conferences.startTimer({ params, body: { seconds: 600 } });
      await bob.page.getByTestId('toolbar-more').click();
      await bob.page.getByTestId('toolbar-hand').click();
      await alice.page.getByTestId('toolbar-hand').click();
      await expect(alice.page.getByTestId('badge-hand')).toContainText(locale === 'zh-CN' ? '第 2 位' : 'number 2');
      await picture('proceedings');
      await conferences.markRollCall({ params, body: { termId: bob.termId, mark: 'present' } });
      await expect(alice.page.getByTestId('called')).toBeVisible();
      await conferences.endRollCall({ params });
      await isTold(
        alice.page,
        locale === 'zh-CN' ? '点名结束：到会 1 方，缺席 0 方。' : 'The roll call is over: 1 present, 0 absent.',
      );
      for (const { page } of both) await expect(page.getByTestId('roll-call')).toHaveCount(0);
    });
  });
}
