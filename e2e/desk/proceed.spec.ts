import type { Page } from '@playwright/test';
import type { Api, RunningServer } from '@rmeet/testkit';
import { bookMeeting } from '../support.ts';
import { LOOKS, LONG_NAME, looksRight, tabTo } from '../pages.ts';
import { clicksOn, expect, pressAction, test, type Gathering } from './support.ts';

const rz = { res: 'rz' };

interface Running extends Pick<Gathering, 'host' | 'meetId'> {
  /** termIds by name. */
  termIds: Record<string, string>;
  /** The participants' own API clients. */
  calls: Record<string, Api>;
  controlNow(): ReturnType<Api['conferences']['state']>;
}

/**
 * A conference of alice with bob and two guests inside; without media, so that polling includes people without a
 * picture.
 */
async function running(
  server: RunningServer,
  subject: string,
  guests: readonly string[] = ['Carol', 'Dave'],
): Promise<Running> {
  const [host, bob] = [await server.api.as('alice'), await server.api.as('bob')];
  const { meetId, numericId } = await bookMeeting(host, subject);
  const termIds: Record<string, string> = {};
  const calls: Record<string, Api> = {};
  const come = async (name: string, api: Api, body: object): Promise<void> => {
    const joined = await api.conferences.join({ body: { numericId, ...body } });
    termIds[name] = joined.termId;
    calls[name] = server.api.withToken(joined.sessionToken);
  };
  await come('Alice', host, {});
  await come('Bob', bob, { password: '4821' });
  for (const name of guests) await come(name, server.api, { name, password: '4821' });
  return { host, meetId, termIds, calls, controlNow: () => host.conferences.state({ params: { meetId } }) };
}

/** Waits for a part of the conference's state. */
const becomes = (conference: Running, part: (state: Awaited<ReturnType<Running['controlNow']>>) => unknown) =>
  expect.poll(async () => part(await conference.controlNow()));

async function everybodyPolled(page: Page): Promise<void> {
  await page.getByTestId('desk-polling').click();
  await page.getByTestId('desk-polling-panel').getByRole('checkbox').first().uncheck();
}

test('polling begins with two clicks, and is controlled in its panel', async ({ server, openDesk }) => {
  const conference = await running(server, 'Polled');
  const page = await openDesk(conference);
  await everybodyPolled(page);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('desk-polling')).toBeFocused();
  await clicksOn(page);
  await page.getByTestId('desk-polling').click();
  await page.getByTestId('desk-polling-start').click();
  expect(await clicksOn(page)).toBe(2);
  const turn = page.getByTestId('desk-polling-turn');
  await expect(turn).toHaveAttribute('data-term', conference.termIds['Alice'] ?? '');
  await page.getByTestId('desk-polling-pause').click();
  await becomes(conference, ({ control }) => control.polling?.isPaused).toBe(true);
  await page.getByTestId('desk-polling-next').click();
  await expect(turn).toHaveAttribute('data-term', conference.termIds['Bob'] ?? '');
  await page.getByTestId('desk-polling-back').click();
  await expect(turn).toHaveAttribute('data-term', conference.termIds['Alice'] ?? '');
  await page.getByTestId(`desk-polling-jump-${conference.termIds['Dave']}`).click();
  await expect(turn).toHaveAttribute('data-term', conference.termIds['Dave'] ?? '');
  await page.getByTestId('desk-polling-seconds').fill('30');
  await page.getByTestId('desk-polling-set-seconds').click();
  await becomes(conference, ({ control }) => control.polling?.seconds).toBe(30);
  await page.getByTestId('desk-polling-stop').click();
  // The pressed button has disappeared; the focus stays in the panel.
  await expect(page.getByTestId('desk-polling-start')).toBeFocused();
  await becomes(conference, ({ control }) => [control.mode, control.polling]).toEqual(['AUTO', null]);
});

test('chosen terminals take turns in an order set by keyboard, and a lecturer sees them', async ({
  server,
  openDesk,
}) => {
  const conference = await running(server, 'A lecture');
  const page = await openDesk(conference);
  await everybodyPolled(page);
  await page.getByTestId('desk-polling-chosen').check();
  await expect(page.getByTestId('desk-polling-start')).toBeDisabled();
  for (const name of ['Carol', 'Dave'])
    await page.getByTestId('desk-polling-add').selectOption(conference.termIds[name] ?? '');
  const order = page.getByTestId('desk-polling-order').getByRole('listitem');
  await order.nth(1).getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  await expect(order.first()).toContainText('Dave');
  // The moved item keeps the focus, and can be moved back immediately.
  await page.keyboard.press('Enter');
  await expect(order.first()).toContainText('Carol');
  await order.nth(1).dragTo(order.first());
  await expect(order.first()).toContainText('Dave');
  await page.getByTestId('desk-polling-lecturer').selectOption(conference.termIds['Bob'] ?? '');
  await tabTo(page, 'desk-polling-start');
  await page.keyboard.press('Enter');
  await becomes(conference, ({ control }) => [
    control.mode,
    control.speakerId,
    control.polling?.turn?.termId,
    control.polling?.next,
  ]).toEqual(['LECTURE', conference.termIds['Bob'], conference.termIds['Dave'], conference.termIds['Carol']]);
});

test('a scene is saved, applied by two clicks, undone, renamed, scheduled and deleted', async ({
  server,
  openDesk,
}) => {
  const conference = await running(server, 'Scenes');
  const page = await openDesk(conference);
  const { host, meetId } = conference;
  await host.conferences.setLayout({ params: rz, body: { meetId, screenModel: '9' } });
  await page.getByTestId('desk-scenes').click();
  await page.getByTestId('desk-scene-name').fill('Opening');
  await page.getByTestId('desk-scene-save').click();
  await page.getByTestId('desk-scene-apply').waitFor();
  await page.keyboard.press('Escape');
  await host.conferences.setLayout({ params: rz, body: { meetId, screenModel: 'AUTO' } });
  await clicksOn(page);
  await page.getByTestId('desk-scenes').click();
  await page.getByTestId('desk-scene-apply').click();
  expect(await clicksOn(page)).toBe(2);
  await becomes(conference, ({ control }) => control.layout.model).toBe('9');
  await page.getByTestId('desk-undo').click();
  await becomes(conference, ({ control }) => control.layout.model).toBe('AUTO');

  await page.getByTestId('desk-scenes').click();
  await page.getByTestId('desk-scene-more').click();
  await page.getByTestId('desk-scene-rename').fill('Debate');
  await page.getByTestId('desk-scene-time').fill('2099-01-01T10:00');
  await page.getByTestId('desk-scene-keep').click();
  await expect(page.getByTestId('desk-scene-apply')).toContainText('Debate');
  await expect(page.getByTestId('desk-scene-apply')).toContainText('2099-01-01 10:00');
  await page.getByTestId('desk-scene-more').click();
  await page.getByTestId('desk-scene-delete').click();
  // The question appears a moment after the press.
  await expect(page.getByTestId('question-cancel')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await becomes(conference, ({ scenes }) => scenes).toEqual([]);
});

test('raised hands are listed in order, and the floor is given with a time', async ({ server, openDesk }) => {
  const conference = await running(server, 'Hands');
  const page = await openDesk(conference);
  for (const name of ['Dave', 'Bob'])
    await conference.calls[name]?.conferences.hand({ params: conference, body: { raised: true } });
  await page.getByTestId('desk-tab-proceed').click();
  await expect(page.getByTestId('desk-hands').getByRole('listitem')).toHaveCount(2);
  await expect(page.getByTestId('desk-hands').getByRole('listitem').first()).toContainText('Dave');
  await page.getByTestId('desk-floor-minutes').selectOption('2');
  await page.getByTestId(`desk-floor-${conference.termIds['Dave']}`).click();
  await expect(page.getByTestId('desk-hands').getByRole('listitem')).toHaveCount(1);
  await expect(page.getByTestId('desk-timer')).toContainText('Dave');
  await becomes(conference, ({ control }) => [control.speakerId, control.timer?.seconds]).toEqual([
    conference.termIds['Dave'],
    120,
  ]);
  await page.getByTestId('desk-timer-pause').click();
  await page.getByTestId('desk-timer-resume').waitFor();
  await page.getByTestId('desk-timer-add').click();
  await becomes(conference, ({ control }) => control.timer?.seconds).toBe(150);
  await page.getByTestId('desk-timer-stop').click();
  await page.getByTestId('desk-timer-5').waitFor();
  await page.getByTestId('desk-lower-all').click();
  await expect(page.getByTestId('desk-hands')).toHaveCount(0);
});

test('a roll call is held by keyboard, and its result is shown', async ({ server, openDesk }) => {
  const conference = await running(server, 'A roll call', ['Carol']);
  const page = await openDesk(conference);
  await page.getByTestId('desk-tab-proceed').click();
  await page.getByTestId('desk-roll-start').click();
  await expect(page.getByTestId('desk-roll-current')).toContainText('Alice');
  await page.getByTestId('desk-roll-present').focus();
  await page.keyboard.press('p');
  await expect(page.getByTestId('desk-roll-current')).toContainText('Bob');
  await page.keyboard.press('a');
  await expect(page.getByTestId('desk-roll-current')).toContainText('Carol');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('desk-roll-counts')).toContainText('2 present, 1 absent, 0 not marked');
  const download = page.waitForEvent('download');
  await page.getByTestId('desk-roll-csv').click();
  expect((await download).suggestedFilename()).toBe('A roll call.csv');
  await page.getByTestId('desk-roll-end').focus();
  await page.keyboard.press('Enter');
  await becomes(conference, ({ control }) => [control.mode, control.rollCall?.entries.map(({ mark }) => mark)]).toEqual(
    ['AUTO', ['present', 'absent', 'present']],
  );
});

test('a vote is opened and answered, and its result shown by name', async ({ server, openDesk }) => {
  const conference = await running(server, 'A vote');
  const page = await openDesk(conference);
  const { meetId } = conference;
  await page.getByTestId('desk-tab-proceed').click();
  await page.getByTestId('vote-question').fill('Adopt the minutes?');
  await page.getByTestId('vote-kind-choices').check();
  await page.getByTestId('vote-choice-0').fill('Yes');
  await page.getByTestId('vote-choice-1').fill('Yes');
  await expect(page.getByTestId('vote-begin')).toBeDisabled();
  await page.getByTestId('vote-choice-1').fill('No');
  await page.getByTestId('vote-secret').uncheck();
  await page.getByTestId('vote-begin').click();
  await page.getByTestId('vote-end').waitFor();
  const voteId = (await conference.controlNow()).control.vote?.id ?? '';
  await conference.calls['Bob']?.conferences.castBallot({ params: { meetId, voteId }, body: { option: 1 } });
  await conference.calls['Carol']?.conferences.castBallot({ params: { meetId, voteId }, body: { option: 0 } });
  await expect(page.getByTestId('vote-progress')).toContainText('Ballots: 2');
  await page.getByTestId('vote-end').click();
  await expect(page.getByTestId('vote-counts')).toContainText('50%');
  await page.getByTestId('vote-ballots').click();
  await expect(page.getByTestId('vote-ballots')).toContainText('Bob: No');
  await page.getByTestId('vote-dismiss').click();
  await page.getByTestId('vote-question').waitFor();
});

test('in a low window a panel scrolls, and the focus stays visible', async ({ server, openDesk }) => {
  const conference = await running(server, 'Low');
  const page = await openDesk(conference);
  await page.setViewportSize({ width: 1024, height: 420 });
  await conference.host.conferences.setPollingState({
    params: rz,
    query: { meetId: conference.meetId, polling: '1' },
    body: { onlyVideo: false, seconds: 600 },
  });
  await page.getByTestId('desk-polling').click();
  await page.getByTestId('desk-polling-turn').waitFor();
  await tabTo(page, `desk-polling-jump-${conference.termIds['Dave']}`);
  await expect(page.getByTestId(`desk-polling-jump-${conference.termIds['Dave']}`)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await becomes(conference, ({ control }) => control.polling?.turn?.termId).toBe(conference.termIds['Dave']);
});

for (const locale of LOOKS) {
  test(`polling, scenes and proceedings in ${locale}`, async ({ server, openDesk }) => {
    const conference = await running(server, `Looks ${locale}`, [LONG_NAME, 'Dave']);
    const { host, meetId } = conference;
    const page = await openDesk(conference, { locale });
    await page.setViewportSize({ width: 1024, height: 768 });
    await pressAction(page, 'desk-scenes');
    await page.getByTestId('desk-scene-name').waitFor();
    await looksRight(page, 'no scenes');
    await page.keyboard.press('Escape');
    for (const name of ['Opening', LONG_NAME, 'Vote'])
      await host.conferences.saveScene({
        params: { meetId },
        body: { name, at: name === 'Vote' ? '2099-01-01T09:00:00.000Z' : null },
      });
    await pressAction(page, 'desk-scenes');
    await expect(page.getByTestId('desk-scene-apply')).toHaveCount(3);
    await looksRight(page, 'scenes');
    await page.keyboard.press('Escape');
    await pressAction(page, 'desk-polling');
    await page.getByTestId('desk-polling-start').waitFor();
    await looksRight(page, 'before polling');
    await page.keyboard.press('Escape');
    await host.conferences.setPollingState({
      params: rz,
      query: { meetId, polling: '1' },
      body: { onlyVideo: false, seconds: 60 },
    });
    await pressAction(page, 'desk-polling');
    await page.getByTestId('desk-polling-turn').waitFor();
    await looksRight(page, 'polling');
    await page.keyboard.press('Escape');
    await page.getByTestId('desk-tab-proceed').click();
    await page.getByTestId('vote-question').waitFor();
    await looksRight(page, 'proceedings with nothing going on');
    await conference.calls[LONG_NAME]?.conferences.hand({ params: conference, body: { raised: true } });
    await host.conferences.startTimer({
      params: { meetId },
      body: { termId: conference.termIds[LONG_NAME] ?? '', seconds: 120 },
    });
    await host.conferences.startRollCall({ params: { meetId }, body: {} });
    await host.conferences.openVote({ params: { meetId }, body: { question: LONG_NAME, options: [LONG_NAME, 'B'] } });
    await page.getByTestId('vote-end').waitFor();
    await looksRight(page, 'proceedings');
    await page.getByTestId('vote-end').scrollIntoViewIfNeeded();
    await looksRight(page, 'roll call and vote');
    await page.setViewportSize({ width: 1280, height: 1200 });
    await page.getByTestId('vote-end').click();
    await page.getByTestId('vote-counts').waitFor();
    await looksRight(page, 'result of a vote');
  });
}
