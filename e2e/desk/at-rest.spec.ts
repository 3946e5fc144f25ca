import { until } from '@rmeet/testkit';
import { comeToRest } from '../at-rest.ts';
import { commands } from '../conferences/support.ts';
import { expect, previews, seesPeople, test } from './support.ts';

/** Maximum time from the desk's media connection to a moving picture; ms. */
const SOON = 1_000;
const rz = { res: 'rz' };

// oxlint-disable-next-line max-lines-per-function -- One scenario, step by step.
test('no one on air: the preview moves within 1 s, and desk, wall, room, lobby and join page come to rest', async ({
  gather,
  open,
  openDesk,
  openAs,
  server,
}) => {
  test.setTimeout(240_000);
  const meeting = await gather();
  const { meetId, host, number } = meeting;
  const [chair, alice] = [
    await meeting.enter('chair', { layers: true }),
    await meeting.enter('alice', { layers: true }),
  ];
  const desk = await openDesk(meeting);

  await test.step('both cameras move soon after the desk is connected', async () => {
    await desk.addInitScript('window.previewMoves = rmeetTest.untilMoving(".desk-preview video")');
    const taken: number[] = [];
    // A machine that was busy with something else does not make the page slow: load the desk again.
    await until(`the preview moves within ${SOON} ms`, async () => {
      await desk.reload();
      taken.push(Math.round(await desk.evaluate<number>('window.previewMoves')));
      if (taken.some((time) => time <= SOON)) return true;
      throw new Error(JSON.stringify(taken));
    });
    await previews(desk, ['chair', 'alice']);
    test.info().annotations.push({
      type: 'figures',
      description: `from the media connection to a moving preview: ${taken.join(', ')} ms`,
    });
  });
  const status = await openAs(meeting);
  await status.goto(`${server.url}/#/terminalstatus?meetId=${meetId}`);
  await status.getByTestId(`status-term-${alice.termId}`).waitFor();
  await test.step('nothing happens', async () => {
    await commands(meeting).entry({ waitingRoom: true });
    const bob = await meeting.enter('bob', { waits: true });
    const carol = await open('carol');
    await carol.goto(`${server.url}/#/join?number=${number}`);
    await carol.getByTestId('join-submit').waitFor();
    await comeToRest({ desk, status, chair: chair.page, alice: alice.page, lobby: bob.page, join: carol });
    for (const page of [bob.page, carol]) await page.close();
  });
  await test.step('the wall is open', async () => {
    await desk.getByTestId('desk-layout-wall').click();
    await seesPeople(desk, ['chair', 'alice']);
    await comeToRest({ wall: desk });
  });
  await test.step('the wall was closed, polling was begun and stopped', async () => {
    await desk.getByTestId('desk-layout-list').click();
    await host.conferences.setPollingState({
      params: rz,
      query: { meetId, polling: '1' },
      body: { termIds: [chair.termId, alice.termId], seconds: 3 },
    });
    for (const { name } of [chair, alice]) await expect(desk.getByTestId('desk-preview-on-air')).toHaveText(name);
    await host.conferences.setPollingState({ params: rz, query: { meetId, polling: '0' }, body: {} });
    await comeToRest({ desk, status, chair: chair.page, alice: alice.page });
  });
  await test.step('a participant has left', async () => {
    await alice.page.getByTestId('toolbar-leave').click();
    await expect(alice.page.getByTestId('call-ended')).toBeVisible();
    await comeToRest({ desk, chair: chair.page });
    await previews(desk, ['chair']);
  });
});
