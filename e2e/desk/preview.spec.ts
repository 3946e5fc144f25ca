import { comeToRest } from '../at-rest.ts';
import { expect, previews, seesPeople, test } from './support.ts';

/** A burst of messages that exceeds what the engine accepts from one participant (packages/sfu/src/limits.ts). */
const FLOOD = 1_000;

test('the preview follows who joins, whose camera is on and what is shared, and rests each time', async ({
  gather,
  openDesk,
}) => {
  test.setTimeout(240_000);
  const meeting = await gather();
  const alice = await meeting.enter('alice', { layers: true });
  const desk = await openDesk(meeting);

  await test.step('one person alone', async () => {
    await previews(desk, ['alice']);
    await comeToRest({ desk });
  });
  const bob = await test.step('a participant joins later', async () => {
    const later = await meeting.enter('bob', { layers: true });
    await previews(desk, ['alice', 'bob']);
    await comeToRest({ desk });
    return later;
  });
  await test.step('one person has no camera on', async () => {
    await alice.page.getByTestId('toolbar-camera').click();
    await previews(desk, ['bob'], { without: 1 });
    await comeToRest({ desk, alice: alice.page, bob: bob.page });
  });
  await test.step('no camera is on, not even when the desk opens', async () => {
    await bob.page.getByTestId('toolbar-camera').click();
    await previews(desk, [], { without: 2 });
    await desk.reload();
    await desk.getByTestId(`desk-term-${bob.termId}`).waitFor();
    await previews(desk, [], { without: 2 });
    await comeToRest({ desk });
  });
  await test.step('a camera is turned on', async () => {
    await alice.page.getByTestId('toolbar-camera').click();
    await previews(desk, ['alice'], { without: 1 });
    await comeToRest({ desk });
  });
  await test.step('a screen is shared, and stopped', async () => {
    await bob.page.getByTestId('toolbar-share').click();
    await previews(desk, ['alice'], { screen: true, without: 1 });
    await comeToRest({ desk, alice: alice.page, bob: bob.page });
    await bob.page.getByTestId('toolbar-share').click();
    await previews(desk, ['alice'], { without: 1 });
    await comeToRest({ desk });
  });
  await test.step('the wall is opened and closed', async () => {
    await desk.getByTestId('desk-layout-wall').click();
    await seesPeople(desk, ['alice']);
    await comeToRest({ desk });
    await desk.getByTestId('desk-layout-list').click();
    await previews(desk, ['alice'], { without: 1 });
    await comeToRest({ desk });
  });
  await expect(desk.getByTestId('desk-preview-link')).toHaveCount(0);
});

test('a desk that floods the engine is disconnected, says so, and shows the pictures again', async ({
  gather,
  openDesk,
}) => {
  const meeting = await gather();
  await meeting.enter('alice');
  const desk = await openDesk(meeting);
  // Records the page's last signalling message, to send it again.
  await desk.addInitScript(`{
    const { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
      if (new URL(this.url).pathname.startsWith('/rtc')) window.repeat = () => send.call(this, data);
      return send.call(this, data);
    };
  }`);
  await desk.reload();
  await previews(desk, ['alice']);
  await desk.evaluate(`for (let nth = 0; nth < ${FLOOD}; nth += 1) window.repeat()`);
  const told = desk.getByTestId('desk-preview-link');
  await expect(told).toContainText('The media server interrupted these pictures');
  await previews(desk, ['alice']);
  await expect(told).toHaveCount(0);
  await comeToRest({ desk });
});
