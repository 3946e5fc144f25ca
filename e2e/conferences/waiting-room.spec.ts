import {
  chooseInHostMenu,
  commandPerson,
  expect,
  hearsPeople,
  ownTermId,
  personRow,
  seesNothingOf,
  seesPeople,
  test,
} from './support.ts';

test('a waiting person sends the chair a message, is admitted, sent back and admitted again', async ({ gather }) => {
  const meeting = await gather({ waitingRoom: true });
  const chair = await meeting.enter('chair');
  const carol = await meeting.enter('carol', { waits: true });
  await carol.page.getByTestId('knock-text').fill('It is Dr. Li from ward 3.');
  await carol.page.getByTestId('knock-send').click();
  await expect(carol.page.getByTestId('knock-sent')).toHaveText('The chair has your message. Please wait.');

  await personRow(chair.page, '');
  const waiting = chair.page.getByTestId('waiting-person').filter({ hasText: 'Carol' });
  await expect(waiting.getByTestId('waiting-message')).toContainText('It is Dr. Li from ward 3.');
  await hearsPeople(carol.page, []);
  await waiting.getByTestId(/^admit-/).click();
  await seesPeople(carol.page, ['chair']);
  await seesPeople(chair.page, ['carol']);

  await test.step('a person sent back sees and hears nothing more', async () => {
    await commandPerson(chair.page, { ...carol, termId: await ownTermId(carol.page) }, 'person-send-back');
    const room = carol.page.getByTestId('waiting-room');
    await expect(room).toContainText('You are back in the waiting room');
    await hearsPeople(carol.page, []);
    await hearsPeople(chair.page, []);
    await seesNothingOf(chair.page, 'carol');
  });
  await test.step('the person enters automatically after being admitted again', async () => {
    await chair.page
      .getByTestId('waiting-person')
      .filter({ hasText: 'Carol' })
      .getByTestId(/^admit-/)
      .click();
    await seesPeople(carol.page, ['chair']);
    await hearsPeople(chair.page, ['carol']);
  });
});

test('one click admits all who wait; a refused person reads the reason', async ({ gather }) => {
  const meeting = await gather({ waitingRoom: true });
  const chair = await meeting.enter('chair');
  const [alice, bob] = [await meeting.enter('alice', { waits: true }), await meeting.enter('bob', { waits: true })];
  await personRow(chair.page, '');
  await expect(chair.page.getByTestId('badge-people')).toContainText('2');
  await chair.page.getByTestId('admit-all').click();
  await seesPeople(chair.page, ['alice', 'bob']);
  await seesPeople(alice.page, ['chair', 'bob']);
  await hearsPeople(bob.page, ['chair', 'alice']);

  const mallory = await meeting.enter('carol', { waits: true, name: 'Mallory', locale: 'zh-CN' });
  await chair.page
    .getByTestId('waiting-person')
    .filter({ hasText: 'Mallory' })
    .getByTestId(/^refuse-/)
    .click();
  await chair.page.getByTestId('refuse-text').fill('仅限本科室');
  await chair.page.keyboard.press('Enter');
  await expect(mallory.page.getByTestId('call-ended')).toContainText('您未获准入会');
  await expect(mallory.page.getByTestId('end-reason')).toContainText('仅限本科室');
});

test('the chair turns on the waiting room while the meeting runs', { tag: '@more' }, async ({ gather }) => {
  const meeting = await gather();
  const chair = await meeting.enter('chair');
  await chooseInHostMenu(chair.page, 'entry-waiting');
  await expect(chair.page.getByTestId('undo-notice')).toBeVisible();
  const bob = await meeting.enter('bob', { waits: true });
  await personRow(chair.page, '');
  await chair.page
    .getByTestId('waiting-person')
    .getByTestId(/^admit-/)
    .click();
  await seesPeople(bob.page, ['chair']);
});

test('a removed person may return, or not, as the chair decides', { tag: '@more' }, async ({ gather, server }) => {
  const meeting = await gather();
  const chair = await meeting.enter('chair');
  const bob = await meeting.enter('bob');
  await hearsPeople(chair.page, ['bob']);

  await commandPerson(chair.page, bob, 'person-remove');
  await chair.page.getByTestId('remove-return').click();
  const ended = bob.page.getByTestId('call-ended');
  await expect(ended).toContainText('You were removed from the meeting');
  await expect(ended).toContainText('You can join again.');
  await hearsPeople(chair.page, []);
  await hearsPeople(bob.page, []);
  await seesNothingOf(chair.page, 'bob');

  await bob.page.getByTestId('end-again').click();
  await bob.page.getByTestId('join-submit').click();
  await hearsPeople(chair.page, ['bob']);
  await commandPerson(chair.page, { ...bob, termId: await ownTermId(bob.page) }, 'person-remove');
  await chair.page.getByTestId('remove-stay-out').click();
  await expect(ended).toContainText('you cannot come back to this meeting');
  await expect(bob.page.getByTestId('end-again')).toHaveCount(0);

  await bob.page.goto('about:blank');
  await bob.page.goto(`${server.url}/#/join?number=${meeting.number}&pwd=${meeting.password}&name=Robert`);
  await bob.page.getByTestId('join-submit').click();
  await expect(bob.page.getByTestId('join-error')).toHaveText('You have been removed from this meeting.');
  await hearsPeople(chair.page, []);
});
