import { CallError, closePage, openPage } from '@rmeet/testkit';
import { optionOf, signIn, violations } from '../support.ts';
import { clicksOn, expect, hearsPeople, seesLarge, seesNothingOf, seesPeople, test } from './support.ts';

test('a chair at the desk mutes all, puts one on air and removes one, each with the fewest clicks', async ({
  gather,
  openDesk,
}) => {
  const meeting = await gather();
  const [alice, bob, carol] = [await meeting.enter('alice'), await meeting.enter('bob'), await meeting.enter('carol')];
  const desk = await openDesk(meeting);
  await hearsPeople(alice.page, ['bob', 'carol']);
  await expect(desk.getByTestId(`desk-term-${bob.termId}`)).toBeVisible();
  await clicksOn(desk);

  await test.step('mute all: one click, no one is heard, and the log says that all have obeyed', async () => {
    await desk.getByTestId('desk-mute-all').click();
    await hearsPeople(alice.page, []);
    await hearsPeople(bob.page, []);
    expect(await clicksOn(desk)).toBe(1);
    await expect(desk.getByTestId(`desk-term-${bob.termId}`)).toHaveAttribute('data-muted', 'true');
    await desk.getByTestId('desk-tab-log').click();
    await expect(desk.getByTestId('desk-log-muteAll').getByTestId('desk-log-acks')).toContainText('3 of 3 answered');
  });
  await test.step('undone: all are heard again', async () => {
    await desk.getByTestId('desk-log-muteAll').getByTestId('desk-log-undo').click();
    await hearsPeople(alice.page, ['bob', 'carol']);
    await expect(desk.getByTestId('desk-log-muteAll')).toContainText('Taken back');
    await clicksOn(desk);
  });
  await test.step('on air: two clicks at most, and the preview shows what the others see', async () => {
    await desk.getByTestId(`desk-air-${bob.termId}`).click();
    for (const { page } of [alice, carol]) await seesLarge(page, 'bob');
    expect(await clicksOn(desk)).toBeLessThanOrEqual(2);
    await expect(desk.getByTestId('desk-preview-on-air')).toHaveText('Bob');
  });
  await test.step('the wall shows all terminals live', async () => {
    await desk.getByTestId('desk-layout-wall').click();
    await seesPeople(desk, ['alice', 'bob', 'carol']);
    await desk.getByTestId('desk-layout-list').click();
    await clicksOn(desk);
  });
  await test.step('remove: two clicks', async () => {
    await desk.getByTestId(`desk-remove-${carol.termId}`).click();
    await desk.getByTestId('desk-remove-ok').click();
    await expect(carol.page.getByTestId('call-ended')).toBeVisible();
    await seesNothingOf(alice.page, 'carol');
    expect(await clicksOn(desk)).toBe(2);
    await expect(desk.getByTestId(`desk-term-${carol.termId}`)).toHaveCount(0);
  });
  await test.step('end: asks once, and all terminals leave', async () => {
    await desk.getByTestId('desk-end').click();
    await desk.getByTestId('question-ok').click();
    for (const { page } of [alice, bob]) await expect(page.getByTestId('call-ended')).toBeVisible();
    await expect(desk.getByRole('heading', { name: 'The conference is over' })).toBeVisible();
  });
});

test('one click admits all who wait; a refused person sees the reason', async ({ gather, openDesk }) => {
  const meeting = await gather({ waitingRoom: true });
  const [bob, carol] = [await meeting.enter('bob', { waits: true }), await meeting.enter('carol', { waits: true })];
  const desk = await openDesk(meeting);
  await expect(desk.getByTestId('desk-tab-waiting')).toContainText('2');
  await clicksOn(desk);
  await desk.getByTestId('desk-admit-all').click();
  await hearsPeople(bob.page, ['carol']);
  await hearsPeople(carol.page, ['bob']);
  expect(await clicksOn(desk)).toBe(1);

  const alice = await meeting.enter('alice', { waits: true });
  await desk.getByTestId(/^desk-refuse-T/).click();
  await desk.getByTestId('desk-refuse-reason').fill('For staff only.');
  await desk.getByTestId('desk-refuse-ok').click();
  await expect(alice.page.getByText('For staff only.')).toBeVisible();
});

test(
  'one terminal: muted, renamed, quieter, sorted, by menu and by keyboard',
  { tag: '@more' },
  async ({ gather, openDesk }) => {
    const meeting = await gather();
    const [alice, bob] = [await meeting.enter('alice'), await meeting.enter('bob')];
    const desk = await openDesk(meeting);
    const row = (termId: string) => desk.getByTestId(`desk-term-${termId}`);
    await hearsPeople(alice.page, ['bob']);

    await test.step('by the keyboard alone', async () => {
      await row(bob.termId).locator('.desk-name').click();
      await desk.keyboard.press('m');
      await hearsPeople(alice.page, []);
      await desk.keyboard.press('z');
      await hearsPeople(alice.page, ['bob']);
      await row(bob.termId).focus();
      await desk.keyboard.press('Alt+ArrowUp');
      await expect(desk.locator('[data-term]').first()).toHaveAttribute('data-term', bob.termId);
    });
    await test.step('by the menu', async () => {
      await desk.getByTestId(`desk-more-${bob.termId}`).click();
      await desk.getByTestId('desk-menu-rename').click();
      await desk.getByTestId('desk-rename-name').fill('Room 301');
      await desk.getByTestId('desk-rename-save').click();
      await expect(row(bob.termId)).toContainText('Room 301');
      await expect(alice.page.getByTestId(`tile-${bob.termId}`)).toContainText('Room 301');
    });
    await test.step('its streams are listed', async () => {
      await desk.getByTestId(`desk-streams-${bob.termId}`).click();
      await expect(desk.getByTestId('desk-streams').getByRole('cell', { name: 'Sends' }).first()).toBeVisible();
      await desk.keyboard.press('Escape');
    });
  },
);

test('a viewer sees everything and can do nothing; a revoked link closes the desk', async ({ gather, openDesk }) => {
  const meeting = await gather();
  const alice = await meeting.enter('alice');
  const desk = await openDesk(meeting, { part: 'viewer' });
  await expect(desk.getByTestId(`desk-term-${alice.termId}`)).toBeVisible();
  await expect(desk.getByTestId('desk-viewer')).toBeVisible();
  for (const testId of [
    'desk-acts',
    `desk-mic-${alice.termId}`,
    `desk-air-${alice.termId}`,
    `desk-remove-${alice.termId}`,
  ])
    await expect(desk.getByTestId(testId)).toHaveCount(0);

  const token = await desk.evaluate<string>(`Object.values(JSON.parse(sessionStorage.getItem('deskPasses')))[0].token`);
  const refused = await meeting.host
    .withToken(token)
    .conferences.muteAll({ params: { res: 'rz' }, body: { meetId: meeting.meetId } })
    .catch((error: unknown) => error);
  expect(refused instanceof CallError && refused.code).toBe('FORBIDDEN');

  const [link] = await meeting.host.conferences.links({ params: { meetId: meeting.meetId } });
  await meeting.host.conferences.revokeLink({ params: { meetId: meeting.meetId, id: link?.id ?? '' } });
  await expect(desk.getByRole('heading', { name: 'This desk was closed' })).toBeVisible();
});

test('the host opens the desk from my meetings, creates a link there and revokes it', async ({
  gather,
  openAs,
  server,
  chromium,
}) => {
  const meeting = await gather({ subject: 'Handed to the desk' });
  const alice = await meeting.enter('alice');
  const host = await openAs(meeting);
  await host.goto(`${server.url}/#/myMeeting`);
  const row = host.getByTestId('meeting-row').filter({ hasText: 'Handed to the desk' });
  const [desk] = await Promise.all([host.context().waitForEvent('page'), row.getByTestId('meeting-desk').click()]);
  await expect(desk.getByTestId(`desk-term-${alice.termId}`)).toBeVisible();

  await desk.getByTestId('desk-open-links').click();
  await desk.getByTestId('desk-link-kind').selectOption('chair');
  await desk.getByTestId('desk-link-make').click();
  const address = await desk.getByTestId('desk-link-url').inputValue();
  const other = await openPage(chromium, { locale: 'en-US' });
  await other.goto(`${server.url}/${address.slice(address.indexOf('#'))}`);
  await expect(other.getByTestId('desk-acts')).toBeVisible();

  await desk.getByTestId('desk-link-revoke').click();
  await expect(desk.getByTestId('desk-links')).toContainText('Ended');
  await expect(other.getByRole('heading', { name: 'This desk was closed' })).toBeVisible();
  await closePage(other);
});

test(
  'the host grants the meeting at the desk to a person, who opens the desk, and revokes it',
  { tag: '@more' },
  async ({ gather, openAs, server, chromium }) => {
    const meeting = await gather({ subject: 'Stood in for' });
    await meeting.enter('alice');
    const host = await openAs(meeting);
    await host.goto(`${server.url}/#/meetingControl?meetId=${meeting.meetId}`);
    await host.getByTestId('desk-open-grants').click();
    const grants = host.getByTestId('desk-grants');
    await expect(grants).toContainText('Nobody yet');
    await grants.getByRole('combobox').fill('carol');
    await optionOf(host, 'Carol').click();
    await expect(grants.getByTestId('grant-take-back')).toBeVisible();
    expect(await violations(host)).toEqual([]);

    const carol = await openPage(chromium, { locale: 'en-US' });
    await signIn(carol, server, 'carol');
    await carol.goto(`${server.url}/#/meetingControl?meetId=${meeting.meetId}`);
    await expect(carol.getByTestId('desk-acts')).toBeVisible();
    await grants.getByTestId('grant-take-back').click();
    await expect(grants).toContainText('Nobody yet');
    await closePage(carol);
  },
);
