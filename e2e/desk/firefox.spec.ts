import { firefoxMissing, showsColour, tilesOf, until } from '@rmeet/testkit';
import { screenColour } from '../conferences/support.ts';
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

test('in an H.264 meeting, Firefox without H.264 sends VP8 and is sent VP8 while it is there', async ({
  gather,
  firefox,
}) => {
  const meeting = await gather({ template: 'rooms' });
  const bob = await meeting.enter('bob');
  await bob.page.evaluate(`
    clones = [];
    const { clone } = MediaStreamTrack.prototype;
    MediaStreamTrack.prototype.clone = function () { clones.push(clone.call(this)); return clones.at(-1); };
  `);
  const alice = await meeting.enter('alice', { browser: firefox });
  await seesPeople(bob.page, ['alice']);
  await seesPeople(alice.page, ['bob']);
  await hearsPeople(bob.page, ['alice']);
  await hearsPeople(alice.page, ['bob']);
  for (const { page } of [alice, bob]) await expect(page.getByTestId('call-banner')).toHaveCount(0);

  await test.step('a camera that is off is not kept open for VP8, and is seen again when it is on', async () => {
    await bob.page.getByTestId('toolbar-camera').click();
    await seesNothingOf(alice.page, 'bob');
    const states = await bob.page.evaluate<string[]>('clones.map(({ readyState }) => readyState)');
    expect(new Set(states)).toEqual(new Set(['ended']));
    await bob.page.getByTestId('toolbar-camera').click();
    await seesPeople(alice.page, ['bob']);
  });
  await test.step('a shared screen is seen', async () => {
    await bob.page.getByTestId('toolbar-share').click();
    await until('the screen is seen', async () =>
      Object.values(await tilesOf(alice.page)).some((picture) => showsColour(picture, screenColour)),
    );
  });
});

test('the fields of the sign-in page stay inside their card in Chinese', async ({ firefox, server }) => {
  const page = await firefox.newPage({ locale: 'zh-CN', viewport: { width: 390, height: 844 } });
  await page.goto(server.url);
  const [card, field] = [page.locator('.login-form'), page.getByTestId('login-show-password')];
  const right = async (one: typeof card) => one.evaluate((element) => element.getBoundingClientRect().right);
  expect(await right(field)).toBeLessThanOrEqual(await right(card));
  await page.close();
});
