import { eq } from 'drizzle-orm';
import type { BroadcastAction, broadcastSettingBody, Meeting } from '@rmeet/contract';
import type { z } from 'zod';
import { broadcastSpan, type BroadcastSpanRow } from '../../../src/modules/live/tables.ts';
import type { Person } from './client.ts';
import type { TestServer } from './server.ts';

export type LiveSettings = z.infer<typeof broadcastSettingBody>;
type LiveBooking = Partial<Parameters<Person['meetings']['createLive']>[0]['body']>;

/** A live meeting booked by a person that can be joined now. */
export function bookLive(
  server: TestServer,
  host: Person,
  live: LiveSettings = {},
  body: LiveBooking = {},
): Promise<Meeting> {
  return host.meetings.createLive({
    body: { subject: 'Town hall', startTime: server.clock.in(0), duration: 60, password: '4821', ...body, live },
  });
}

export interface OnAir {
  id: string;
  meeting: Meeting;
  act: (action: BroadcastAction) => ReturnType<Person['broadcasts']['act']>;
}

/** A live meeting whose host is inside. */
export async function openLive(
  server: TestServer,
  host: Person,
  live: LiveSettings = {},
  body: LiveBooking = {},
): Promise<OnAir> {
  const meeting = await bookLive(server, host, live, body);
  await host.conferences.join({ body: { numericId: meeting.numericId } });
  const id = meeting.meetId;
  return { id, meeting, act: (action) => host.broadcasts.act({ params: { id }, body: { action } }) };
}

/** The stretches in which a broadcast was on air, in seconds since a time. */
export async function spansOf(server: TestServer, id: string, since: Date): Promise<(number | null)[][]> {
  const seconds = (time: Date | null): number | null => time && (time.getTime() - since.getTime()) / 1_000;
  const rows = await server.db.platform((tx) =>
    tx.find(broadcastSpan, eq(broadcastSpan.broadcastId, id), { orderBy: broadcastSpan.from }),
  );
  return rows.map(({ from, until }: BroadcastSpanRow) => [seconds(from), seconds(until)]);
}
