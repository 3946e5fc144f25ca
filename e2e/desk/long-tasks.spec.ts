import { closePage } from '@rmeet/testkit';
import type { Page } from '@playwright/test';
import { busyConference, recordedStream, termIdOf } from './busy-conference.ts';
import { openDeskFixture } from './fixture.ts';
import { expect, test } from './support.ts';

const LONGEST = 50;
const SECONDS = 12;

/** Tasks longer than 50 ms in the page since the last call, ms each. */
const longTasks = (page: Page): Promise<number[]> => page.evaluate<number[]>('window.longTasks.splice(0)');

for (const layout of ['list', 'wall'] as const) {
  test(`the ${layout} fed by 100 busy terminals has no task over ${LONGEST} ms`, async ({ server, chromium }, info) => {
    const busy = busyConference(100, { now: Date.now() });
    const stream = recordedStream(busy, SECONDS * 1_000);
    const { page, push, subscriptions } = await openDeskFixture(chromium, server.url, busy);
    await page.getByTestId(`desk-term-${termIdOf(0)}`).waitFor();
    await page.evaluate(
      'window.longTasks = []; new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ ' +
        `duration }) => duration))).observe({ type: 'longtask', buffered: true });`,
    );
    await page.getByTestId('desk-tab-log').click();
    await page.getByTestId(`desk-layout-${layout}`).click();
    await page.getByTestId(layout === 'list' ? 'desk-list' : 'desk-wall').waitFor();
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 100)))');
    const opening = await longTasks(page);

    const started = performance.now();
    for (const { at, message } of stream) {
      const wait = at - (performance.now() - started);
      if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
      push(message);
    }
    await expect(page.getByTestId('desk-log-muteAll').first()).toContainText('100/100');
    expect(subscriptions()).toBe(1);
    const long = await longTasks(page);
    const perSecond = Math.round(stream.length / SECONDS);
    const told = (tasks: number[]): string => JSON.stringify(tasks.map(Math.round));
    info.annotations.push({
      type: 'figures',
      description:
        `${stream.length} messages, ${perSecond} a second: ${long.length} tasks over ${LONGEST} ms ` +
        `${told(long)}; opening the page: ${told(opening)}`,
    });
    expect(perSecond).toBeGreaterThanOrEqual(50);
    expect(long).toEqual([]);

    // Verifies that a long task would have been detected.
    await page.evaluate(
      'new Promise((resolve) => setTimeout(() => { const end = performance.now() + 120; while (performance.now() ' +
        '< end); setTimeout(resolve, 100); }))',
    );
    expect((await longTasks(page)).some((duration) => duration >= 100)).toBe(true);
    await closePage(page);
  });
}
