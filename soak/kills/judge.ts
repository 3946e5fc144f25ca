import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Meeting, NoticeRecipient } from '@rmeet/contract';
import { CallError, until, type Api } from '@rmeet/testkit';
import type { Booking, Found } from './ledger.ts';
import type { Stage } from './stories.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const PAGE = 200;
/** Numbers that are dialled; more at once would count as guessing. */
const NUMBERS = 40;
/** The round that moves meetings by their time runs once a minute, and so does the one that looks for notices. */
const SETTLED_WITHIN = 240_000;
/** Due work is done within this time. */
const ROUND = 2 * MINUTE;
const LATE_JOIN = 60 * MINUTE;

/** One promise: how often it was checked, and where it was broken. */
export interface Verdict {
  checked: number;
  wrong: string[];
}

/** Every active meeting, by its mark. */
export async function standing(admin: Api): Promise<Map<string, Meeting[]>> {
  const found: Meeting[] = [];
  for (let current = 1; ; current += 1) {
    const { records } = await admin.meetings.list({
      query: { size: PAGE, current, keyword: 'Killed', tenantWide: 'true' },
    });
    found.push(...records);
    if (records.length < PAGE) break;
  }
  const marked = Map.groupBy(found, ({ subject }) => /Killed\d+/.exec(subject)?.[0] ?? '');
  return new Map(
    [...marked].map(([mark, meetings]) => [
      mark,
      meetings.toSorted((one, other) => one.startTime.localeCompare(other.startTime)),
    ]),
  );
}

/** A meeting that is over has released its rooms, or kept them until its end: both are correct. */
const foundOf = (meeting: Meeting, expected: Found | undefined): Found => ({
  subject: meeting.subject,
  start: Date.parse(meeting.startTime),
  duration: meeting.duration,
  approval: meeting.approval,
  rooms: meeting.status === 'OFFLINE' ? (expected?.rooms ?? []) : meeting.rooms.map(({ id }) => id).toSorted(),
  files: meeting.files.map(({ name }) => name).toSorted(),
});

/**
 * Every acknowledged booking, change, decision and cancellation is stored as acknowledged; interrupted ones were done
 * completely, or not at all.
 */
export async function judgeBookings(
  { ledger: { bookings }, product }: Stage,
  meetings: ReadonlyMap<string, Meeting[]>,
): Promise<Verdict> {
  const wrong: string[] = [];
  for (const { mark, may } of bookings) {
    const there = meetings.get(mark) ?? [];
    if (
      !may.some((one) =>
        isDeepStrictEqual(
          there.map((meeting, at) => foundOf(meeting, one[at])),
          one,
        ),
      )
    ) {
      wrong.push(
        `${mark} is ${JSON.stringify(there.map((meeting) => foundOf(meeting, undefined)))}, ` +
          `and may be ${JSON.stringify(may)}`,
      );
    }
  }
  // Cancelled, not lost: a caller who dials its number gets that answer.
  const cancelled = bookings.filter(({ mark, number }) => number !== undefined && !meetings.has(mark));
  for (const { mark, number = '' } of cancelled.slice(0, NUMBERS)) {
    const answer = await product.api.conferences
      .join({ body: { numericId: number, name: 'Guest' } })
      .catch((error: unknown) => (error instanceof CallError ? error.code : String(error)));
    if (answer !== 'MEETING_CANCELLED')
      wrong.push(`${mark} was cancelled, and its number answers ${JSON.stringify(answer)}`);
  }
  return { checked: bookings.length, wrong };
}

/** No room is booked twice, and each future meeting has the rooms it lists. */
export async function judgeRooms(
  admin: Api,
  { roomIds, began }: Stage,
  meetings: ReadonlyMap<string, Meeting[]>,
): Promise<Verdict> {
  const wrong: string[] = [];
  const taken = await admin.rooms.occupancy({
    body: {
      roomIds: [...roomIds],
      from: new Date(began - DAY).toISOString(),
      until: new Date(began + 30 * DAY).toISOString(),
    },
  });
  const kept = new Set<string>();
  for (const { roomId, taken: stretches } of taken) {
    const inOrder = stretches.toSorted((one, other) => one.startTime.localeCompare(other.startTime));
    for (const [at, { meetId, startTime, endTime, subject }] of inOrder.entries()) {
      kept.add(`${roomId} ${meetId} ${startTime}`);
      const next = inOrder[at + 1];
      if (next && next.startTime < endTime) wrong.push(`a room is taken twice: ${subject} and ${next.subject}`);
    }
  }
  const waiting = [...meetings.values()]
    .flat()
    .filter(({ status, approval }) => status === 'SCHEDULE' && approval !== 'refused');
  for (const { meetId, startTime, subject, rooms } of waiting) {
    for (const { id } of rooms)
      if (!kept.has(`${id} ${meetId} ${startTime}`)) wrong.push(`${subject} says it has a room and has none`);
  }
  return { checked: kept.size, wrong };
}

/** The errors in the mails and the notice of one recipient. */
function wrongOf(
  address: string,
  booking: Booking,
  meeting: Meeting | undefined,
  product: Stage['product'],
  states: readonly NoticeRecipient[],
): string[] {
  const mails = product.mails.received.filter(({ to }) => to.includes(address));
  if (!meeting) {
    if (mails.length === 0) return [];
    if (booking.meetId === undefined) return [`${address} was told of a meeting that was not booked`];
    const isCancelled = mails.some(({ ical }) => ical?.method === 'CANCEL');
    return isCancelled ? [] : [`${address} was not told that ${booking.mark} is off`];
  }
  if (meeting.approval !== 'none' && meeting.approval !== 'approved') return [];
  const status = states.find(({ contact }) => contact === address)?.status;
  return [
    ...(mails.some(({ subject }) => subject.includes(meeting.subject))
      ? []
      : [`${address} was not told of ${meeting.subject}`]),
    ...(status === 'SUCCESS'
      ? []
      : [`${address}: the notice of ${meeting.subject} is marked ${status ?? 'by nothing'}`]),
  ];
}

/**
 * Every recipient got at least one notice about the meeting in its current state, and the notice has its status; other
 * people got none.
 */
export async function judgeNotices(
  { ledger, product }: Stage,
  admin: Api,
  meetings: ReadonlyMap<string, Meeting[]>,
): Promise<Verdict> {
  const wrong: string[] = [];
  const told = ledger.bookings
    .filter(({ addresses }) => addresses.length > 0)
    .map((booking) => ({ booking, there: meetings.get(booking.mark) ?? [] }));
  const idOf = ({ booking, there }: (typeof told)[number]): string | undefined => there[0]?.meetId ?? booking.meetId;
  let unsettled = told.filter((one) => idOf(one) !== undefined);
  const recipients = new Map<Booking, NoticeRecipient[]>();
  await until(
    'no notice is being sent',
    async () => {
      const still: typeof unsettled = [];
      for (const one of unsettled) {
        // judgeBookings reports a lost one.
        const states = await admin.notices.ofMeeting({ params: { id: idOf(one) ?? '' } }).catch(() => []);
        recipients.set(one.booking, states);
        if (states.some(({ status }) => status === 'SENDING')) still.push(one);
      }
      unsettled = still;
      return still.length === 0;
    },
    { within: SETTLED_WITHIN, every: 500 },
  ).catch(() => wrong.push(...unsettled.map(({ booking }) => `${booking.mark}: a notice is being sent for good`)));
  let checked = 0;
  for (const { booking, there } of told) {
    const [first] = there;
    const states = recipients.get(booking) ?? [];
    for (const address of booking.addresses) {
      checked += 1;
      wrong.push(...wrongOf(address, booking, first, product, states));
    }
    for (const { contact, status } of states)
      if (status === 'FAIL') wrong.push(`${contact}: a notice of ${booking.mark} has failed`);
  }
  return { checked, wrong };
}

/** Every file of an active meeting exists and has the sent content. */
export async function judgeFiles(
  { ledger, product }: Stage,
  token: string,
  meetings: ReadonlyMap<string, Meeting[]>,
): Promise<Verdict> {
  const wrong: string[] = [];
  let checked = 0;
  for (const { mark, contents } of ledger.bookings) {
    for (const { id, name } of (meetings.get(mark) ?? []).flatMap(({ files }) => files)) {
      checked += 1;
      const answer = await fetch(`${product.url}/api/api/v1/meetingFile/file/download/${id}`, {
        headers: { authorization: token },
      });
      if (answer.status !== 200 || (await answer.text()) !== contents.get(name))
        wrong.push(`${name} of ${mark} is not what was sent`);
    }
  }
  return { checked, wrong };
}

/** Why a meeting's status does not match its time, its decision and its conference; undefined if it does. */
// oxlint-disable-next-line complexity -- one decision table
function stuck(
  { inside, product }: Stage,
  booking: Booking,
  { status, type, approval, startTime, duration, subject }: Meeting,
): string | undefined {
  const now = product.now();
  const start = Date.parse(startTime);
  const end = start + duration * MINUTE;
  const wants = (right: Meeting['status'][]): string | undefined =>
    right.includes(status) ? undefined : `${subject} is ${status}, not ${right.join(' or ')}`;
  const people = inside.filter((one) => one.booking === booking && !one.terminal.media.ended).length;
  if (booking.ending === 'acknowledged') return wants(['OFFLINE']);
  if (approval === 'waiting')
    return now > start + ROUND ? wants(['OFFLINE']) : now < start ? wants(['SCHEDULE']) : undefined;
  if (approval === 'refused') return wants(['SCHEDULE', 'OFFLINE']);
  if (type === 'LOCAL_MEETING') {
    if (now < start) return wants(['SCHEDULE']);
    return now > end + ROUND
      ? wants(['OFFLINE'])
      : now > start + ROUND && now < end
        ? wants(['ONLINE'])
        : wants(['SCHEDULE', 'ONLINE', 'OFFLINE']);
  }
  if (people > 0) return now < end ? wants(['ONLINE']) : wants(['ONLINE', 'OFFLINE']);
  if (now > end + LATE_JOIN + ROUND) return wants(['OFFLINE']);
  return wants(now < end && booking.ending === undefined ? ['SCHEDULE', 'ONLINE'] : ['SCHEDULE', 'ONLINE', 'OFFLINE']);
}

/** No meeting stays in a wrong status, even if nobody changes it. */
export async function judgeStatuses(stage: Stage, admin: Api, { isOver }: { isOver: boolean }): Promise<Verdict> {
  let checked = 0;
  let wrong: string[] = [];
  const byMark = new Map(stage.ledger.bookings.map((booking) => [booking.mark, booking]));
  await until(
    'no meeting is stuck',
    async () => {
      const meetings = [...(await standing(admin))];
      checked = meetings.reduce((sum, [, of]) => sum + of.length, 0);
      wrong = meetings.flatMap(([mark, of]) =>
        of.flatMap((meeting) => {
          const booking = byMark.get(mark);
          if (isOver) return meeting.status === 'OFFLINE' ? [] : [`${meeting.subject} is over and ${meeting.status}`];
          return booking ? (stuck(stage, booking, meeting) ?? []) : [];
        }),
      );
      return wrong.length === 0;
    },
    { within: SETTLED_WITHIN, every: 500 },
  ).catch(() => undefined);
  return { checked, wrong };
}

/** The number of stored files, including partial ones. */
export function storedFiles(data: string): number {
  try {
    return readdirSync(join(data, 'files'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .length;
  } catch {
    return 0;
  }
}

/**
 * After the sweep, exactly the files that meetings reference are stored; those of cancelled meetings were deleted with
 * them.
 */
export async function judgeSweep({ product, ledger }: Stage, admin: Api): Promise<Verdict & { before: number }> {
  const before = storedFiles(product.data);
  const meetings = await standing(admin);
  let named = 0;
  for (const { mark } of ledger.bookings)
    named += (meetings.get(mark) ?? []).reduce((sum, { files }) => sum + files.length, 0);
  const wrong: string[] = [];
  await until('nothing is stored that no meeting names', () => storedFiles(product.data) === named, {
    within: SETTLED_WITHIN,
  }).catch(() => wrong.push(`${storedFiles(product.data)} files are stored, ${named} are named`));
  return { checked: named, wrong, before };
}
