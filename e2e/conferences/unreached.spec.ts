import { expect, hearsPeople, seesNothingOf, seesPeople, test } from './support.ts';

/** Simulates an engine that does not accept the picture: its answer says so in the page. */
const TAKES_NO_PICTURE = `{
  const set = RTCPeerConnection.prototype.setRemoteDescription;
  RTCPeerConnection.prototype.setRemoteDescription = function ({ type, sdp }) {
    const sections = sdp.split('\\r\\nm=');
    const changed = sections.map((section) =>
      section.startsWith('video') ? section.replace('a=recvonly', 'a=inactive') : section);
    return set.call(this, { type, sdp: type === 'answer' ? changed.join('\\r\\nm=') : sdp });
  };
}`;

test('a participant whose picture reaches no one sees a message with advice; others do not', async ({ gather }) => {
  const meeting = await gather();
  const bob = await meeting.enter('bob');
  const alice = await meeting.enter('alice', { script: TAKES_NO_PICTURE });
  await hearsPeople(bob.page, ['alice']);
  await seesPeople(alice.page, ['bob']);
  const banner = alice.page.getByTestId('call-banner');
  await expect(banner).toHaveText(
    'The others do not get your camera picture. Leave and join ' +
      'again; if that does not help, use another browser or network.',
    { timeout: 40_000 },
  );
  await expect(banner).toHaveAttribute('data-state', 'unreached');
  await seesNothingOf(bob.page, 'alice');
  await expect(bob.page.getByTestId('call-banner')).toHaveCount(0);

  await test.step('with the camera off there is no message', async () => {
    await alice.page.getByTestId('toolbar-camera').click();
    await expect(banner).toHaveCount(0);
    await hearsPeople(bob.page, ['alice']);
  });
});
