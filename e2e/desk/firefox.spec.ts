import { firefoxMissing } from '@rmeet/testkit';
import { expect, hearsPeople, seesNothingOf, seesPeople, test } from './support.ts';

const missing = firefoxMissing();
test.skip(missing !== null, missing ?? '');

test('Firefox and Chromium in one meeting: pictures and sound both ways, off and on again', async ({
  gather,
  firefox,
}) => {
  const meeting = await gather();
  const bob = await meeting.enter('bob');
  const alice = await meeting.enter('alice', { browser: firefox });
  await seesPeople(bob.page, ['alice']);
  await hearsPeople(bob.page, ['alice']);
  await seesPeople(alice.page, ['bob']);
  await hearsPeople(alice.page, ['bob']);

  await test.step('microphone and camera of Firefox are switched off and on again', async () => {
    await alice.page.getByTestId('toolbar-mic').click();
    await hearsPeople(bob.page, []);
    await alice.page.getByTestId('toolbar-camera').click();
    await seesNothingOf(bob.page, 'alice');
    await alice.page.getByTestId('toolbar-mic').click();
    await alice.page.getByTestId('toolbar-camera').click();
    await hearsPeople(bob.page, ['alice']);
    await seesPeople(bob.page, ['alice']);
  });
});

test('in an H.264 meeting, Firefox without H.264 sends VP8 and explains why it shows no pictures', async ({
  gather,
  firefox,
}) => {
  const meeting = await gather({ template: 'rooms' });
  const bob = await meeting.enter('bob');
  const alice = await meeting.enter('alice', { browser: firefox });
  await seesPeople(bob.page, ['alice']);
  await hearsPeople(bob.page, ['alice']);
  await hearsPeople(alice.page, ['bob']);
  await expect(alice.page.getByTestId('call-banner')).toContainText('send H.264, which this browser cannot show');
  await expect(bob.page.getByTestId('call-banner')).toHaveCount(0);
});
