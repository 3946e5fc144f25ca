import { LOCALES } from '../pages.ts';
import { expect, join, test } from '../support.ts';

const texts = {
  'zh-CN': {
    noHost: '请等待主持人入会',
    waits: '请等待主持人准入',
    lead: '主持人或主席准入后，您将自动进入会议。',
    early: /会议尚未开始，开始时间为 .*\d/,
  },
  'en-US': {
    noHost: 'Please wait for the host',
    waits: 'Please wait to be let in',
    lead: 'You will join automatically once the host or a chair lets you in.',
    early: /The meeting has not started yet\. It starts at .*\d/,
  },
} as const;

for (const locale of LOCALES) {
  const words = texts[locale];
  test(`a waiting person reads the reason in ${locale}: the meeting's time, its host, the waiting room`, async ({
    server,
    open,
  }) => {
    const chair = await server.api.as('chair');
    const later = await chair.meetings.createNetwork({
      body: {
        subject: 'Not yet',
        startTime: new Date(Date.now() + 7_200_000).toISOString(),
        duration: 30,
        password: '4821',
        timeZone: 'Asia/Shanghai',
      },
    });
    const page = await open('carol', { locale });
    await join(page, server, { number: later.numericId, password: '4821', name: 'Carol' });
    await expect(page.getByTestId('join-error').first()).toContainText(words.early);

    const { meetId, numericId } = await chair.meetings.createNetwork({
      body: {
        subject: 'First the host',
        startTime: new Date(Date.now() + 60_000).toISOString(),
        duration: 30,
        password: '4821',
        joinBeforeHost: false,
      },
    });
    await page.goto('about:blank');
    await join(page, server, { number: numericId, password: '4821', name: 'Carol' });
    const room = page.getByTestId('waiting-room');
    await expect(room.getByRole('heading')).toHaveText(words.noHost);
    await expect(room.getByTestId('knock-text')).toHaveCount(0);

    // From now on the host admits waiting people; until a host is present, they wait for one.
    await chair.conferences.entry({ params: { meetId }, body: { waitingRoom: true } });
    await expect(room.getByRole('heading')).toHaveText(words.noHost);
    await chair.conferences.join({ body: { numericId } });
    await expect(room.getByRole('heading')).toHaveText(words.waits);
    await expect(room.getByRole('status').first()).toHaveText(words.lead);
    await expect(room.getByTestId('knock-text')).toBeVisible();
    await chair.conferences.end({ params: { meetId } });
    await expect(page.getByTestId('call-ended')).toBeVisible();
  });
}
