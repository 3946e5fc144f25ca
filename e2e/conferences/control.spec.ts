import { CallError, joinAsTerminal } from '@rmeet/testkit';
import {
  chooseInHostMenu,
  commandPerson,
  commands,
  expect,
  hearsPeople,
  isTold,
  namesOf,
  personRow,
  seesAlike,
  seesLarge,
  seesNothingOf,
  seesPeople,
  test,
  type Attendee,
} from './support.ts';

/** The error code of a rejected call. */
const refusalOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error: unknown) => (error instanceof CallError ? error.code : String(error)),
  );

test('the chair puts a speaker on air to all, leaves the stage to the active speaker, or makes all equal', async ({
  gather,
}) => {
  const meeting = await gather();
  const { speaker, mode, muteAll, mute } = commands(meeting);
  const [chair, alice, bob, carol] = [
    await meeting.enter('chair'),
    await meeting.enter('alice'),
    await meeting.enter('bob'),
    await meeting.enter('carol'),
  ];
  for (const { page } of [chair, carol]) await seesPeople(page, ['alice', 'bob']);

  await test.step('bob is put on air from the list in the room by two clicks', async () => {
    await commandPerson(chair.page, bob, 'person-on-air');
    for (const { page } of [chair, alice, carol]) await seesLarge(page, 'bob');
    await expect(bob.page.getByTestId('on-air')).toHaveText('You are on air: everybody sees you');
    await isTold(bob.page, 'You are on air: everybody sees you.');
    // The terminal on air sees the others.
    await seesAlike(bob.page, ['chair', 'alice', 'carol']);
  });
  await test.step('carol follows', async () => {
    await speaker(carol);
    for (const { page } of [chair, alice, bob]) await seesLarge(page, 'carol');
    await expect(bob.page.getByTestId('on-air')).toBeHidden();
  });
  await test.step('all are equal', async () => {
    await mode('EQUAL');
    for (const { page } of [chair, alice]) await seesAlike(page, ['chair', 'alice', 'bob', 'carol']);
    await expect(carol.page.getByTestId('on-air')).toBeHidden();
  });
  await test.step('the active speaker is large', async () => {
    await muteAll();
    await hearsPeople(bob.page, []);
    await mode('AUTO');
    await mute([alice], false);
    for (const { page } of [chair, bob, carol]) await seesLarge(page, 'alice');
    await mute([alice]);
    await mute([bob], false);
    for (const { page } of [chair, alice, carol]) await seesLarge(page, 'bob');
  });
});

test('a camera is turned off and allowed again', async ({ gather }) => {
  const meeting = await gather();
  const { camera } = commands(meeting);
  const [chair, alice, bob] = [await meeting.enter('chair'), await meeting.enter('alice'), await meeting.enter('bob')];
  await seesPeople(alice.page, ['chair', 'bob']);
  await commandPerson(chair.page, bob, 'person-camera');
  for (const { page } of [chair, alice]) await seesNothingOf(page, 'bob');
  await expect(bob.page.getByTestId('held')).toHaveText('Camera off by the chair');
  await bob.page.getByTestId('toolbar-camera').click();
  await isTold(bob.page, 'The chair has turned off your camera.');
  await seesNothingOf(alice.page, 'bob');
  await camera(bob, true);
  for (const { page } of [chair, alice]) await seesPeople(page, ['bob']);
});

test('the chair is handed over, co-chairs help, and one of them follows when the chair leaves', async ({ gather }) => {
  const meeting = await gather();
  const { coChair } = commands(meeting);
  const [chair, alice, bob] = [await meeting.enter('chair'), await meeting.enter('alice'), await meeting.enter('bob')];
  const hasTag = async (page: Attendee, who: Attendee, tag: string) =>
    expect(
      (await personRow(page.page, who.name)).locator('.person-tag', { hasText: new RegExp(`^${tag}$`) }),
    ).toBeVisible();
  await hasTag(bob, chair, 'Chair');
  await expect((await personRow(alice.page, 'Bob')).getByTestId(/^person-menu-/)).toHaveCount(0);
  await expect(alice.page.getByTestId('host-menu')).toHaveCount(0);

  await test.step('alice chairs', async () => {
    await commandPerson(chair.page, alice, 'person-chair');
    await isTold(alice.page, 'You chair the meeting now.');
    await isTold(bob.page, 'Alice chairs the meeting now.');
    await hasTag(bob, alice, 'Chair');
    await chooseInHostMenu(alice.page, 'mute-all');
    await hearsPeople(bob.page, ['alice']);
    await alice.page.getByTestId('undo').click();
    await hearsPeople(bob.page, ['chair', 'alice']);
  });
  await test.step('a co-chair mutes, but neither locks the conference nor removes the chair', async () => {
    await coChair(bob);
    await isTold(bob.page, 'You are a co-chair now.');
    await hasTag(alice, bob, 'Co-chair');
    await chooseInHostMenu(bob.page, 'mute-all');
    await hearsPeople(alice.page, ['bob']);
    await chooseInHostMenu(bob.page, 'unmute-all');
    await hearsPeople(alice.page, ['chair', 'bob']);
    await bob.page.getByTestId('host-menu').click();
    await expect(bob.page.getByTestId('lock')).toHaveCount(0);
    await bob.page.keyboard.press('Escape');
    await bob.page.getByTestId(`person-menu-${alice.termId}`).click();
    await expect(bob.page.getByTestId('person-mute')).toBeVisible();
    await expect(bob.page.getByTestId('person-remove')).toHaveCount(0);
    await expect(bob.page.getByTestId('person-chair')).toHaveCount(0);
    await bob.page.keyboard.press('Escape');
  });
  await test.step('the chair leaves, and the co-chair follows', async () => {
    await alice.page.getByTestId('toolbar-leave').click();
    await alice.page.getByTestId('leave-only').click();
    await isTold(bob.page, 'You chair the meeting now.');
    await hasTag(chair, bob, 'Chair');
    await chooseInHostMenu(bob.page, 'lock');
    await expect(chair.page.getByTestId('locked')).toBeVisible();
  });
});

test('a locked meeting admits no one else', async ({ gather, server, open }) => {
  const meeting = await gather();
  const chair = await meeting.enter('chair');
  await chooseInHostMenu(chair.page, 'lock');
  await expect(chair.page.getByTestId('locked')).toHaveText('Locked');
  const link = `${server.url}/#/join?number=${meeting.number}&pwd=${meeting.password}&name=Bob`;
  for (const [locale, sentence] of [
    ['zh-CN', '会议已锁定，请联系主持人'],
    ['en-US', 'The meeting is locked. Please ask its host.'],
  ] as const) {
    const page = await open('bob', { locale });
    await page.goto(link);
    await page.getByTestId('join-submit').click();
    await expect(page.getByTestId('join-error')).toHaveText(sentence);
    if (locale === 'zh-CN') continue;
    await chair.page.getByTestId('undo').click();
    await expect(chair.page.getByTestId('locked')).toBeHidden();
    await page.getByTestId('join-submit').click();
    await seesPeople(chair.page, ['bob']);
  }
});

test('names, order and top of the list are the same for all', async ({ gather }) => {
  const meeting = await gather();
  const { sort } = commands(meeting);
  const [chair, alice, bob] = [await meeting.enter('chair'), await meeting.enter('alice'), await meeting.enter('bob')];
  await commandPerson(chair.page, bob, 'person-rename');
  await chair.page.getByTestId('rename-text').fill('Room 301');
  await chair.page.getByTestId('rename-submit').click();
  await expect(alice.page.getByTestId(`tile-${bob.termId}`)).toContainText('Room 301');
  await isTold(bob.page, 'Your name here is now “Room 301”.');
  await expect(bob.page.getByTestId(`tile-${bob.termId}`)).toContainText('Room 301 (you)');

  await expect.poll(() => namesOf(alice.page)).toEqual([chair.name, 'Alice', 'Room 301']);
  await sort([bob, alice, chair]);
  for (const { page } of [chair, alice])
    await expect.poll(() => namesOf(page)).toEqual(['Room 301', 'Alice', chair.name]);
  await commandPerson(chair.page, alice, 'person-top');
  for (const { page } of [chair, bob])
    await expect.poll(() => namesOf(page)).toEqual(['Alice', 'Room 301', chair.name]);
});

test('a verb without the right is refused, whatever the client shows', async ({ gather, server }) => {
  const meeting = await gather();
  const { coChair } = commands(meeting);
  const chair = await meeting.enter('chair');
  const guest = await joinAsTerminal(server.api, server.url, {
    numericId: meeting.number,
    password: meeting.password,
    name: 'Mallory',
  });
  const { termId } = guest.admission;
  const { meetId } = meeting;
  const { conferences } = guest.api;
  const params = { res: 'rz' };
  const calls = () => ({
    mute: conferences.termMute({ params, body: { meetId, termId: chair.termId, mute: true } }),
    speaker: conferences.setConfSpeaker({ params, query: { meetId, termId } }),
    lock: conferences.setConfLock({ params, query: { meetId, conflock: '1' } }),
    chairman: conferences.setConfChairman({ params, query: { meetId, termId } }),
    remove: conferences.delTerm({ params: { ...params, id: meetId }, query: { termId: chair.termId } }),
  });
  const codes = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(calls()).map(async ([verb, call]) => [verb, await refusalOf(call)])),
    );
  expect(await codes()).toEqual({
    mute: 'FORBIDDEN',
    speaker: 'FORBIDDEN',
    lock: 'FORBIDDEN',
    chairman: 'FORBIDDEN',
    remove: 'FORBIDDEN',
  });
  await coChair({ ...chair, termId });
  expect(await codes()).toEqual({
    mute: 'OK',
    speaker: 'OK',
    lock: 'FORBIDDEN',
    chairman: 'FORBIDDEN',
    remove: 'FORBIDDEN',
  });
  await expect(chair.page.getByTestId('held')).toHaveText('Muted by the chair');
  await guest.leave();
});
