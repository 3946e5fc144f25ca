import { closePage } from '@rmeet/testkit';
import { applyCommand, type ConferenceCommand } from '@rmeet/conference';
import type { Page } from '@playwright/test';
import { LOOKS, looksRight } from '../pages.ts';
import { busyConference, termIdOf, type Busy } from './busy-conference.ts';
import { openDeskFixture } from './fixture.ts';
import { expect, pressAction, test } from './support.ts';

/** A simulated conference after commands that its log does not contain. */
function after(count: number, commands: readonly ConferenceCommand[]): Busy {
  const busy = busyConference(count, { now: Date.now() });
  let { control } = busy.state;
  for (const command of commands) control = applyCommand(control, command);
  return { ...busy, state: { ...busy.state, control } };
}

const seated: ConferenceCommand[] = [
  { verb: 'layout', model: '9', places: [] },
  {
    verb: 'seats',
    termId: null,
    seats: [
      { seat: 1, source: 'SPEAKER' },
      { seat: 2, source: termIdOf(5) },
      { seat: 5, source: 'POLL' },
      { seat: 9, source: 'CONTENT' },
    ],
  },
  {
    verb: 'terminalLayout',
    termId: termIdOf(5),
    layout: { model: '4', places: [], seats: [{ seat: 1, source: termIdOf(1) }] },
  },
  { verb: 'contentLock', termId: termIdOf(5) },
  { verb: 'dualStream', termId: termIdOf(3), open: false },
  {
    verb: 'banner',
    termId: null,
    banner: {
      text: '会议将于十点开始。\nThe meeting begins at ten.',
      position: 'BOTTOM',
      size: 'MEDIUM',
      scroll: 'NONE',
      language: 'zh',
      since: new Date().toISOString(),
      until: new Date(Date.now() + 300_000).toISOString(),
    },
  },
  {
    verb: 'banner',
    termId: termIdOf(5),
    banner: {
      text: '请靠近摄像机，并调整灯光，以便会诊专家看清资料。',
      position: 'TOP',
      size: 'LARGE',
      scroll: 'LEFT',
      language: 'zh',
      since: new Date().toISOString(),
      until: null,
    },
  },
];

async function panel(page: Page, name: string, what: string): Promise<void> {
  await pressAction(page, `desk-${name}`);
  await page.getByTestId(`desk-${name}-panel`).waitFor();
  await looksRight(page, what);
}

for (const locale of LOOKS) {
  for (const size of [
    { width: 1280, height: 800 },
    { width: 1024, height: 768 },
  ]) {
    test(`what is shown, in ${locale}, ${size.width} wide`, async ({ server, chromium }) => {
      const { page } = await openDeskFixture(chromium, server.url, after(30, seated), { locale, size });
      await page.getByTestId('desk').waitFor();
      await panel(page, 'layout', 'layout with seats');
      await page.getByTestId('desk-seat-3').getByRole('button').click();
      await expect(page.getByTestId('desk-seat-3').getByRole('button')).toHaveAttribute('aria-pressed', 'true');
      await looksRight(page, 'layout with a seat chosen');
      await page.keyboard.press('Escape');
      await panel(page, 'content', 'content');
      await page.keyboard.press('Escape');
      await pressAction(page, 'desk-captions');
      await page
        .getByTestId('desk-captions-text')
        .fill('急诊会诊将于 10:30 开始，请各院区准备影像资料。\nEmergency consultation at 10:30.');
      await page.getByTestId('desk-captions-scroll-UP').click();
      await looksRight(page, 'captions upwards');
      await page.keyboard.press('Escape');
      await page.getByTestId(`desk-more-${termIdOf(5)}`).click();
      await looksRight(page, 'menu of a terminal with its own layout');
      await page.getByTestId('desk-menu-layout').click();
      await page.getByTestId('desk-one-layout').waitFor();
      await looksRight(page, 'layout of one terminal');
      await page.keyboard.press('Escape');
      await page.getByTestId(`desk-more-${termIdOf(5)}`).click();
      await page.getByTestId('desk-menu-captions').click();
      await page.getByTestId('desk-one-captions').waitFor();
      await looksRight(page, 'captions of one terminal');
      await closePage(page);
    });
  }

  test(`custom, inset and 25 seats in ${locale}`, async ({ server, chromium }) => {
    const places = [
      { x: 0, y: 0, width: 0.75, height: 1 },
      ...[0, 1, 2].map((at) => ({ x: 0.75, y: at / 3, width: 0.25, height: 1 / 3 })),
    ];
    for (const command of [
      { verb: 'layout', model: 'CUSTOM', places },
      { verb: 'layout', model: '25', places: [] },
      { verb: 'layout', model: '1+N', places: [] },
      { verb: 'layout', model: 'PIP', places: [] },
    ] as const) {
      const { page } = await openDeskFixture(
        chromium,
        server.url,
        after(30, [{ ...command, places: [...command.places] }]),
        { locale },
      );
      await page.getByTestId('desk').waitFor();
      await panel(page, 'layout', `layout ${command.model}`);
      if (command.model === 'CUSTOM') {
        await page.getByTestId('desk-custom-places').click();
        await page.getByTestId('desk-place-2').focus();
        await looksRight(page, 'layout CUSTOM places');
      }
      await closePage(page);
    }
  });

  test(`what is shown in an empty conference in ${locale}`, async ({ server, chromium }) => {
    const { page } = await openDeskFixture(
      chromium,
      server.url,
      after(0, [{ verb: 'layout', model: '4', places: [] }]),
      { locale },
    );
    await page.getByTestId('desk').waitFor();
    await panel(page, 'layout', 'layout of an empty conference');
    await page.keyboard.press('Escape');
    await panel(page, 'content', 'content of an empty conference');
    await page.keyboard.press('Escape');
    await panel(page, 'captions', 'captions of an empty conference');
    await closePage(page);
  });
}
