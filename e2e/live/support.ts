import type { MeetingBody } from '@rmeet/contract';
import { openPage, type Api, type RunningServer } from '@rmeet/testkit';
import type { Browser, Page } from '@playwright/test';
import { mayBook } from '../meetings/support.ts';

export const SIZES = [
  [390, 844],
  [1024, 768],
  [1440, 900],
] as const;

type LiveBody = NonNullable<Parameters<Api['meetings']['createLive']>[0]['body']>;

interface LiveOptions {
  live?: LiveBody['live'];
  minutesFromNow?: number;
  participants?: MeetingBody['participants'];
}

/** Books a live meeting in a person's name; the broadcast has the meeting's id. */
export async function bookLive(
  server: RunningServer,
  account: string,
  subject: string,
  { live = {}, minutesFromNow = 1, participants = [] }: LiveOptions = {},
) {
  await mayBook(server, account, ['sys:bookLive', 'sys:liveStreaming']);
  const api = await server.api.as(account);
  return api.meetings.createLive({
    body: {
      subject,
      startTime: new Date(Date.now() + minutesFromNow * 60_000).toISOString(),
      duration: 60,
      password: '4821',
      participants,
      live,
    },
  });
}

/** Books a live meeting and puts it on air. */
export async function goOnAir(
  server: RunningServer,
  account: string,
  subject: string,
  options: LiveOptions = {},
): Promise<{ id: string; act: (action: 'PAUSE' | 'RESUME' | 'END') => Promise<unknown> }> {
  const { meetId: id, numericId } = await bookLive(server, account, subject, options);
  const api = await server.api.as(account);
  await api.conferences.join({ body: { numericId } });
  const act = (action: 'START' | 'PAUSE' | 'RESUME' | 'END') =>
    api.broadcasts.act({ params: { id }, body: { action } });
  await act('START');
  return { id, act };
}

/** Opens the watch page without an account, on a phone unless told. */
export async function watchAsGuest(
  chromium: Browser,
  server: RunningServer,
  id: string,
  options: { locale?: 'zh-CN' | 'en-US'; size?: { width: number; height: number }; still?: boolean } = {},
): Promise<Page> {
  const page = await openPage(chromium, { locale: 'en-US', size: { width: 390, height: 844 }, ...options });
  await page.goto(`${server.url}/#/live/${id}`);
  return page;
}

/** The picture of the watch page near its corner, beside the counter of the camera; null while nothing plays. */
export const pictureOf = (page: Page): Promise<{ r: number; g: number; b: number } | null> =>
  page.evaluate(`(() => {
    const video = document.querySelector('[data-testid="live-video"]');
    if (!video || video.readyState < 2) return null;
    const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
    const context = canvas.getContext('2d');
    context.drawImage(video, video.videoWidth / 8, video.videoHeight / 8, 1, 1, 0, 0, 1, 1);
    const [r, g, b] = context.getImageData(0, 0, 1, 1).data;
    return { r, g, b };
  })()`);
