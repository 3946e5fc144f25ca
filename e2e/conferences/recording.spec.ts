import { closePage, openPage, storeFor } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { LOCALES } from '../pages.ts';
import { openDeskFixture } from '../desk/fixture.ts';
import { busyConference } from '../desk/busy-conference.ts';
import { bookMeeting, chooseInHostMenu, expect, isTold, join, test, violations } from './support.ts';
import { withRecording } from './recording-support.ts';

const WORDS = {
  'zh-CN': {
    recorded: '本会议正在录制。',
    paused: '录制已暂停。',
    full: '录制已暂停：服务器的存储空间已满。请联系管理员腾出空间',
    free: '请联系管理员腾出空间',
    low: '单位的录制空间即将用完',
    resumed: '录制已继续，本会议正在录制。',
    ended: '录制已结束。',
    encrypted: /会议已端到端加密，服务器无法解密/,
    ahead: '本会议会被录制',
  },
  'en-US': {
    recorded: 'This meeting is being recorded.',
    paused: 'The recording is paused.',
    full: "The recording is paused. The server's disk is full. Ask an administrator to free space",
    free: 'Ask an administrator to free space',
    low: "Your organisation's space for recordings is nearly used up",
    resumed: 'The recording continues: this meeting is being recorded.',
    ended: 'The recording has ended.',
    encrypted: /the meeting is end-to-end encrypted/,
    ahead: 'This meeting is recorded',
  },
} as const;

/** Notes the tones that a page plays, Hz; its simulated microphone plays others. */
const NOTE_TONES = `window.tones = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) {
    window.tones.push(this.frequency.value);
    return start.apply(this, when);
  };`;
const [LOW, HIGH] = [880, 1175];
const tones = async (page: Page): Promise<number[]> =>
  (await page.evaluate<number[]>('window.tones')).filter((tone) => tone === LOW || tone === HIGH);

for (const locale of LOCALES) {
  const words = WORDS[locale];
  test(`in the room in ${locale}: the host starts and ends a recording, each change has a notice`, async ({
    server,
    chromium,
  }) => {
    const host = await server.api.as('chair');
    const meeting = await bookMeeting(host, 'Recorded');
    const page = await openPage(chromium, { locale });
    await storeFor(page, server.url, { token: host.token, loginUser: JSON.stringify(host.user) });
    await page.addInitScript(NOTE_TONES);
    const set = await withRecording(page, null);
    await join(page, server, { number: meeting.numericId, password: meeting.password });
    const mark = page.getByTestId('recording-mark');
    await page.getByTestId('host-menu').waitFor();
    await expect(mark).toHaveCount(0);

    await test.step('it starts from the host menu', async () => {
      const asked = page.waitForRequest((request) => request.postData()?.includes('"record"') === true);
      await chooseInHostMenu(page, 'host-record-start');
      expect((await asked).postDataJSON()).toEqual({ verb: 'record', action: 'START' });
    });
    await test.step('it runs: a mark with a clock, a sentence and a sound', async () => {
      set({ status: 'STARTING' });
      await isTold(page, words.recorded);
      await expect(mark).toHaveAttribute('data-status', 'STARTING');
      set({ status: 'RECORDING', startedAt: new Date(Date.now() - 65_000).toISOString() });
      await expect(mark).toContainText(/01:0\d/);
      expect(await tones(page)).toEqual([LOW, HIGH]);
    });
    await test.step('the disk is full: the host reads what to do', async () => {
      set({ status: 'PAUSED', trouble: 'diskFull' });
      await isTold(page, words.full);
      await expect(mark).toHaveAttribute('data-warns', 'true');
      await mark.click();
      await expect(page.getByTestId('recording-details')).toContainText(words.free);
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(mark).toBeFocused();
      set({ status: 'RECORDING' });
      await isTold(page, words.resumed);
    });
    await test.step('space runs out: the host is warned while it goes on', async () => {
      set({ status: 'RECORDING', isSpaceLow: true });
      await isTold(page, words.low);
      await expect(mark).toHaveAttribute('data-warns', 'true');
      await mark.click();
      await expect(page.getByTestId('recording-details')).toContainText(words.low);
      await page.keyboard.press('Escape');
      set({ status: 'RECORDING' });
      await expect(mark).toHaveAttribute('data-warns', 'false');
    });
    await test.step('it ends after a question', async () => {
      await chooseInHostMenu(page, 'host-record-stop');
      const asked = page.waitForRequest((request) => request.postData()?.includes('"STOP"') === true);
      await page.getByTestId('question-ok').click();
      await asked;
      set({ status: 'STOPPED' });
      await isTold(page, words.ended);
      await expect(mark).toHaveCount(0);
      expect(await tones(page)).toEqual([LOW, HIGH, HIGH, LOW]);
    });
    await closePage(page);
  });

  test(`in ${locale} a guest reads that the meeting is recorded, and has no control of it`, async ({
    server,
    chromium,
  }) => {
    const host = await server.api.as('chair');
    const { numericId: number, password } = await host.meetings.createNetwork({
      body: {
        subject: 'Recorded',
        startTime: new Date(Date.now() + 60_000).toISOString(),
        duration: 60,
        password: '4821',
        autoRecord: true,
      },
    });
    const page = await openPage(chromium, { locale });
    const set = await withRecording(page, { status: 'RECORDING' });
    await page.goto(`${server.url}/#/join?number=${number}&pwd=${password}&name=Alice`);
    await page.getByTestId('join-submit').click();
    await isTold(page, words.recorded);
    await page.getByTestId('recording-mark').click();
    await expect(page.getByTestId('recording-details')).toBeVisible();
    await expect(page.getByTestId('recording-stop')).toHaveCount(0);
    await page.keyboard.press('Escape');
    // What is wrong with the server concerns those who record.
    set({ status: 'PAUSED', trouble: 'diskFull' });
    await isTold(page, words.paused);
    await expect(page.getByTestId('recording-mark')).toHaveAttribute('data-warns', 'false');
    await closePage(page);
  });

  test(`in ${locale} the join card says that a meeting will be recorded`, async ({ server, chromium }) => {
    const host = await server.api.as('chair');
    const { numericId: number, password } = await host.meetings.createNetwork({
      body: {
        subject: 'Recorded',
        startTime: new Date(Date.now() + 60_000).toISOString(),
        duration: 60,
        password: '4821',
        autoRecord: true,
      },
    });
    const page = await openPage(chromium, { locale });
    await page.goto(`${server.url}/#/join?number=${number}&pwd=${password}&name=Alice`);
    await expect(page.getByTestId('join-recorded')).toHaveText(words.ahead);
    await closePage(page);
  });

  test(`on the desk in ${locale}: start, pause, resume, and an encrypted meeting that cannot be recorded`, async ({
    server,
    chromium,
  }) => {
    const busy = busyConference(6, { now: Date.now() });
    const { page, push, calls } = await openDeskFixture(chromium, server.url, busy, {
      locale,
      size: { width: 1920, height: 1080 },
    });
    const set = (recording: object | null, more: object = {}) =>
      push({
        topic: `meeting:${busy.state.meetId}`,
        version: 1,
        snapshot: { ...busy.state, ...more, control: { ...busy.state.control, recording } },
      } as Parameters<typeof push>[0]);
    const running = {
      id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2dff',
      status: 'RECORDING',
      trouble: null,
      isSpaceLow: false,
      startedAt: new Date(Date.now() - 65_000).toISOString(),
    };
    await page.getByTestId('desk-record').click();
    await expect.poll(() => calls.filter((call) => call.endsWith('/commands')).length).toBe(1);
    await expect(page.getByTestId('desk-record-pause')).toHaveCount(0);
    set(running);
    await expect(page.getByTestId('recording-mark')).toContainText(/01:0\d/);
    await expect(page.getByTestId('toast-warning')).toContainText(words.recorded);
    await page.getByTestId('desk-record-pause').click();
    await expect.poll(() => calls.filter((call) => call.endsWith('/commands')).length).toBe(2);
    set({ ...running, isSpaceLow: true });
    await expect(page.getByTestId('toast-warning').filter({ hasText: words.low })).toBeVisible();
    await expect(page.getByTestId('recording-mark')).toHaveAttribute('data-warns', 'true');
    set({ ...running, status: 'PAUSED' });
    await expect(page.getByTestId('recording-mark')).toHaveAttribute('data-status', 'PAUSED');
    set(null, { cannot: { record: 'encrypted' } });
    await expect(page.getByTestId('desk-record')).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByTestId('desk-record')).toHaveAttribute('title', words.encrypted);
    await closePage(page);
  });
}
