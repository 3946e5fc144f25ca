import type { Locator, Page } from '@playwright/test';
import { chooseInHostMenu, expect, isTold, personRow, seesPeople, test, type Attendee } from './support.ts';

/** The chat of a page, which is opened if necessary. */
async function chatOf(page: Page): Promise<Locator> {
  if (!(await page.getByTestId('chat-panel').isVisible())) await page.getByTestId('toolbar-chat').click();
  return page.getByTestId('chat-panel');
}

async function say(page: Page, text: string): Promise<void> {
  const chat = await chatOf(page);
  await chat.getByTestId('chat-input').fill(text);
  await page.keyboard.press('Enter');
  await expect(messageOf(chat, text)).toBeVisible();
}

const messageOf = (chat: Locator, text: string): Locator =>
  chat.getByTestId('chat-message').filter({ has: chat.page().locator('.chat-text', { hasText: text }) });

async function chooseForMessage(page: Page, text: string, item: string): Promise<void> {
  await messageOf(await chatOf(page), text)
    .getByTestId('chat-menu')
    .click();
  await page.getByTestId(item).click();
}

test('people react, raise hands and chat, and the chair decides how', async ({ gather }) => {
  const meeting = await gather();
  const [chair, alice, bob] = [await meeting.enter('chair'), await meeting.enter('alice'), await meeting.enter('bob')];
  for (const { page } of [chair, alice, bob]) await expect(page.getByTestId('tile-' + bob.termId)).toBeVisible();

  await test.step('a reaction floats over the sender, and a screen reader announces it', async () => {
    await alice.page.keyboard.press('r');
    await expect(alice.page.getByTestId('react-thumbsUp')).toBeFocused();
    await alice.page.keyboard.press('ArrowRight');
    await alice.page.keyboard.press('Enter');
    for (const { page } of [chair, alice, bob]) {
      const reaction = page.getByTestId(`reaction-${alice.termId}`);
      await expect(reaction).toHaveAttribute('data-reaction', 'heart');
      // Inside the tile, it moves with it.
      await expect(page.getByTestId(`tile-${alice.termId}`).getByTestId(`reaction-${alice.termId}`)).toBeVisible();
    }
    await expect(bob.page.getByTestId('reactions-told')).toHaveText('Alice: heart.');
    await expect(bob.page.getByTestId(`reaction-${alice.termId}`)).toHaveCount(0);
  });
  await test.step('the chair turns reactions off', async () => {
    await chooseInHostMenu(chair.page, 'allow-reactions');
    await expect(alice.page.getByTestId('toolbar-react')).toContainText('Reactions blocked');
    await alice.page.getByTestId('toolbar-react').click();
    await isTold(alice.page, 'The chair has turned reactions off.');
    await chair.page.getByTestId('undo').click();
    await expect(alice.page.getByTestId('toolbar-react')).toContainText('React');
  });
  await test.step('hands are in order; the chair lowers one, then all', async () => {
    await bob.page.keyboard.press('h');
    await isTold(chair.page, 'Bob raised a hand.');
    await alice.page.keyboard.press('h');
    await expect(alice.page.getByTestId('badge-hand')).toContainText('number 2 in the queue');
    const row = await personRow(chair.page, 'Alice');
    await expect(row.getByTestId('hand-in-line')).toContainText('Hand raised, number 2');
    await chair.page.getByTestId(`person-menu-${bob.termId}`).click();
    await chair.page.getByTestId('person-lower-hand').click();
    await expect(alice.page.getByTestId('badge-hand')).toContainText('number 1 in the queue');
    await chair.page.getByTestId('lower-all').click();
    await expect(alice.page.getByTestId('badge-hand')).toHaveCount(0);
    await expect(chair.page.getByTestId('raised-hands')).toHaveCount(0);
  });
  await test.step('a private message reaches one person; its text shows while the chat is closed', async () => {
    const chat = await chatOf(alice.page);
    await chat.getByTestId('chat-to').selectOption({ label: 'Bob' });
    await expect(chat.getByTestId('chat-hint')).toHaveText('Only you and Bob see this. Hosts and the chair do not.');
    await say(alice.page, 'Between us');
    await expect(bob.page.getByTestId('chat-preview')).toHaveText('Alice (privately) Between us');
    await bob.page.getByTestId('chat-preview').click();
    await expect(messageOf(await chatOf(bob.page), 'Between us')).toContainText('privately to you');

    await chooseForMessage(bob.page, 'Between us', 'chat-reply');
    await say(bob.page, 'Understood');
    const reply = messageOf(chat, 'Understood');
    await expect(reply.getByTestId('chat-quote')).toContainText('You Between us');
    await expect(reply).toContainText('privately to you');
    await reply.getByTestId('chat-quote').click();
    await expect(messageOf(chat, 'Between us')).toBeFocused();

    await chat.getByTestId('chat-to').selectOption({ label: 'Everyone' });
    await say(alice.page, 'For all');
    const chairs = await chatOf(chair.page);
    await expect(messageOf(chairs, 'For all')).toBeVisible();
    await expect(chairs.getByTestId('chat-message')).toHaveCount(1);
  });
  await test.step('a message is deleted by its sender, and by the chair', async () => {
    await chooseForMessage(bob.page, 'Understood', 'chat-delete');
    await expect((await chatOf(alice.page)).getByText('Message deleted')).toHaveCount(1);
    await chooseForMessage(chair.page, 'For all', 'chat-delete');
    for (const { page } of [alice, bob]) await expect(messageOf(await chatOf(page), 'For all')).toHaveCount(0);
    await expect((await chatOf(chair.page)).getByTestId('chat-message')).toContainText('Message deleted');
  });
  await test.step('chat is limited to hosts, then off', async () => {
    await chooseInHostMenu(chair.page, 'chat-for-hosts');
    await isTold(alice.page, 'You may only write to hosts now, in private.');
    await expect((await chatOf(alice.page)).getByTestId('chat-to')).toHaveText(chair.name);
    await chooseInHostMenu(chair.page, 'chat-for-nobody');
    await expect(await chatOf(alice.page)).toContainText('The chair has turned the chat off: only hosts write.');
    await expect(alice.page.getByTestId('chat-input')).toHaveCount(0);
    await say(chair.page, 'Please read the agenda');
    await expect(messageOf(await chatOf(alice.page), 'Please read the agenda')).toBeVisible();
  });
});

test('the chair opens the desk, and renames, pins and hands over by two clicks on a picture', async ({ gather }) => {
  const meeting = await gather();
  const [chair, alice] = [await meeting.enter('chair'), await meeting.enter('alice')];
  await seesPeople(chair.page, ['alice']);
  const choose = async (page: Page, who: Attendee, item: string) => {
    await page.getByTestId(`tile-${who.termId}`).hover();
    await page.getByTestId(`on-tile-menu-${who.termId}`).click();
    await page.getByTestId(item).click();
  };

  const desk = chair.page.waitForEvent('popup');
  await chooseInHostMenu(chair.page, 'to-desk');
  await expect((await desk).getByTestId('desk-mute-all')).toBeVisible();
  await (await desk).close();

  await choose(chair.page, alice, 'person-rename');
  await chair.page.getByTestId('rename-text').fill('Dr. Alice');
  await chair.page.getByTestId('rename-submit').click();
  await isTold(alice.page, 'Your name here is now “Dr. Alice”.');

  await personRow(alice.page, 'Dr. Alice');
  await alice.page.getByTestId('rename-self-open').click();
  await alice.page.getByTestId('rename-self-text').fill('Ward 3');
  await alice.page.getByTestId('rename-self-submit').click();
  await expect(chair.page.getByTestId(`tile-${alice.termId}`)).toContainText('Ward 3');
  await chooseInHostMenu(chair.page, 'allow-rename');
  await expect(alice.page.getByTestId('rename-self-open')).toHaveCount(0);

  await alice.page.getByTestId('toolbar-share').click();
  await expect(chair.page.getByTestId(`tile-${alice.termId}-screen`)).toBeVisible();
  await chooseInHostMenu(chair.page, 'allow-share');
  await isTold(alice.page, 'Your sharing has ended: only hosts may share now.');
  await expect(chair.page.getByTestId(`tile-${alice.termId}-screen`)).toHaveCount(0);
  await expect(alice.page.getByTestId('toolbar-share')).toContainText('Sharing blocked');

  await choose(chair.page, alice, 'person-on-air');
  await expect(alice.page.getByTestId('on-air')).toBeVisible();
  await choose(chair.page, alice, 'person-chair');
  await isTold(alice.page, 'You chair the meeting now.');
  await expect(alice.page.getByTestId('toolbar-share')).toContainText('Share screen');
});
