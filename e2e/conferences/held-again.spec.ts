import { chooseInHostMenu, commands, expect, hearsPeople, seesNothingOf, seesPeople, test } from './support.ts';

test('a terminal that returns is held as before', async ({ gather, server }) => {
  const meeting = await gather();
  const { mute, camera } = commands(meeting);
  const [chair, bob] = [await meeting.enter('chair'), await meeting.enter('bob')];
  await hearsPeople(chair.page, ['bob']);
  await seesPeople(chair.page, ['bob']);
  await mute([bob]);
  await camera(bob, false);
  await hearsPeople(chair.page, []);
  await seesNothingOf(chair.page, 'bob');

  await test.step('in the same page, after its network was gone', async () => {
    await bob.page.context().setOffline(true);
    await expect(bob.page.getByTestId('call-banner')).toBeVisible({ timeout: 30_000 });
    await bob.page.context().setOffline(false);
    await expect(bob.page.getByTestId('call-banner')).toBeHidden({ timeout: 30_000 });
    await hearsPeople(bob.page, ['chair']);
    await hearsPeople(chair.page, []);
    await seesNothingOf(chair.page, 'bob');
  });
  await test.step('after entering again in the same browser', async () => {
    await bob.page.goto('about:blank');
    await bob.page.goto(`${server.url}/#/join?number=${meeting.number}&pwd=${meeting.password}&name=Bob`);
    await bob.page.getByTestId('join-submit').click();
    await hearsPeople(bob.page, ['chair']);
    await expect(bob.page.getByTestId('held')).toHaveText('Muted and camera turned off by the chair');
    await hearsPeople(chair.page, []);
    await seesNothingOf(chair.page, 'bob');
  });
  const isEmbedded = process.env['RMEET_TEST_LIVEKIT_URL'] === undefined;
  if (isEmbedded) {
    await test.step('after the media engine died', async () => {
      server.kill('media');
      await hearsPeople(bob.page, ['chair'], 30_000);
      await hearsPeople(chair.page, []);
      await seesNothingOf(chair.page, 'bob');
    });
  }
  await test.step('the chair releases it', async () => {
    await chooseInHostMenu(chair.page, 'unmute-all');
    await hearsPeople(chair.page, ['bob']);
    await expect(bob.page.getByTestId('held')).toHaveText('Camera off by the chair');
  });
});
