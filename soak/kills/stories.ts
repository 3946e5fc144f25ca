import { setTimeout as sleep } from 'node:timers/promises';
import type { Meeting } from '@rmeet/contract';
import { joinAsTerminal, type Api, type Terminal } from '@rmeet/testkit';
import type { Random } from '../fuzz/random.ts';
import type { Booking, Found, Ledger } from './ledger.ts';
import type { Product } from './product.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Future bookings begin this long after the start of the run, when all kills are over. */
const AHEAD = 8 * HOUR;
/** Number of half-hour slots from there on in which meetings begin. */
const SLOTS = 40;
const SERIES = 3;
const JOIN_WITHIN = 15_000;
/** Terminals are expensive; the other meetings have none. */
const MOST_INSIDE = 8;
const FILE_BYTES = 500_000;

/** Longer meetings need approval, unless an approver booked them. */
export const UNAPPROVED_MINUTES = 240;

/** The actors, and what they act on. */
export interface Stage {
  product: Product;
  ledger: Ledger;
  random: Random;
  chair: Api;
  alice: Api;
  /** Has no right to approve. */
  bob: Api;
  roomIds: readonly string[];
  /** When the run began, by the product's clock. */
  began: number;
  /** Present terminals, and their bookings. */
  inside: { booking: Booking; terminal: Terminal }[];
}

let marks = 0;
const nextMark = (): string => `Killed${String((marks += 1)).padStart(5, '0')}`;
const iso = (ms: number): string => new Date(ms).toISOString();
const mailsOf = (addresses: readonly string[]) => addresses.map((email) => ({ kind: 'mail' as const, email }));
const addressesOf = (mark: string): string[] => [1, 2].map((n) => `${mark.toLowerCase()}-${n}@example.org`);
const isLost = ({ how }: { how: string }): boolean => how !== 'acknowledged';

function slotOf({ random, began }: Stage): number {
  return Math.ceil(began / HOUR) * HOUR + AHEAD + random.below(SLOTS) * 30 * MINUTE;
}

async function pause({ random }: Stage): Promise<void> {
  await sleep(random.next() * 300);
}

const editOf = (made: Meeting, more: Partial<Found>) => ({
  subject: more.subject ?? made.subject,
  startTime: iso(more.start ?? Date.parse(made.startTime)),
  duration: made.duration,
  password: made.password,
  vip: made.vip,
  participants: made.participants.map((one) => (one.kind === 'user' ? { kind: one.kind, userId: one.userId } : one)),
  roomIds: made.rooms.map(({ id }) => id),
  version: made.version,
});

/** One meeting with a room that others also request: booked, usually changed, sometimes cancelled. */
async function single(stage: Stage, start = slotOf(stage), roomId = stage.random.pick(stage.roomIds)): Promise<void> {
  const { ledger, random, chair, alice } = stage;
  const host = random.pick([chair, alice]);
  const mark = nextMark();
  const booking = ledger.booking(mark, addressesOf(mark));
  const found: Found = {
    subject: `${mark} as booked`,
    start,
    duration: 30,
    rooms: [roomId],
    files: [],
    approval: 'none',
  };
  const booked = await ledger.change('booking', booking, [found], () =>
    host.meetings.createNetwork({
      body: {
        subject: found.subject,
        startTime: iso(start),
        duration: 30,
        password: '4821',
        participants: mailsOf(booking.addresses),
        roomIds: [roomId],
      },
    }),
  );
  if (booked.how !== 'acknowledged') return;
  booking.meetId = booked.value.meetId;
  booking.number = booked.value.numericId;
  await pause(stage);
  if (random.chance(0.7)) {
    const changed = { ...found, subject: `${mark} as changed`, start: start + (random.chance(0.5) ? 30 * MINUTE : 0) };
    if (
      isLost(
        await ledger.change('change', booking, [changed], () =>
          host.meetings.update({ params: { id: booked.value.meetId }, body: editOf(booked.value, changed) }),
        ),
      )
    )
      return;
    await pause(stage);
  }
  if (random.chance(0.3))
    await ledger.change('cancellation', booking, [], () =>
      host.meetings.cancel({ params: { id: booked.value.meetId }, query: {} }),
    );
}

/** Two clients request the same room at the same time. */
async function race(stage: Stage): Promise<void> {
  const [start, roomId] = [slotOf(stage), stage.random.pick(stage.roomIds)];
  await Promise.all([single(stage, start, roomId), single(stage, start, roomId)]);
}

/** A series with a room: all of it, or none of it. */
async function series(stage: Stage): Promise<void> {
  const { ledger, random, alice } = stage;
  const mark = nextMark();
  const booking = ledger.booking(mark, addressesOf(mark));
  const [start, roomId] = [slotOf(stage), random.pick(stage.roomIds)];
  const of = (subject: string): Found[] =>
    Array.from({ length: SERIES }, (_, n) => ({
      subject,
      start: start + n * 24 * HOUR,
      duration: 30,
      rooms: [roomId],
      files: [],
      approval: 'none',
    }));
  const booked = await ledger.change('series', booking, of(`${mark} as booked`), () =>
    alice.meetings.createNetwork({
      body: {
        subject: `${mark} as booked`,
        startTime: iso(start),
        duration: 30,
        password: '4821',
        participants: mailsOf(booking.addresses),
        roomIds: [roomId],
        recurrence: { rule: `FREQ=DAILY;COUNT=${SERIES}` },
      },
    }),
  );
  if (booked.how !== 'acknowledged') return;
  const { value: first } = booked;
  booking.meetId = first.meetId;
  booking.number = first.numericId;
  await pause(stage);
  if (random.chance(0.6)) {
    const changed = of(`${mark} as changed`);
    if (
      isLost(
        await ledger.change('change', booking, changed, () =>
          alice.meetings.update({
            params: { id: first.meetId },
            body: { ...editOf(first, { subject: `${mark} as changed` }), scope: 'all' },
          }),
        ),
      )
    )
      return;
    await pause(stage);
  }
  if (random.chance(0.3))
    await ledger.change('cancellation', booking, [], () =>
      alice.meetings.cancel({ params: { id: first.meetId }, query: { scope: 'all' } }),
    );
}

/** A local meeting with files: some are added, some are removed. */
async function files(stage: Stage): Promise<void> {
  const { ledger, random, alice } = stage;
  const mark = nextMark();
  const booking = ledger.booking(mark, addressesOf(mark));
  const [start, roomId] = [slotOf(stage), random.pick(stage.roomIds)];
  const fileOf = (name: string): File => {
    const text = `${mark} ${name} `.repeat(Math.ceil((random.next() * FILE_BYTES) / (mark.length + 8)));
    booking.contents.set(name, text);
    return new File([text], name);
  };
  const found: Found = {
    subject: `${mark} as booked`,
    start,
    duration: 30,
    rooms: [roomId],
    files: ['a.txt', 'b.txt'],
    approval: 'none',
  };
  const booked = await ledger.change('files', booking, [found], () =>
    alice.meetings.createLocal({
      body: {
        subject: found.subject,
        startTime: iso(start),
        duration: 30,
        participants: mailsOf(booking.addresses),
        roomIds: [roomId],
      },
      files: [fileOf('a.txt'), fileOf('b.txt')],
    }),
  );
  if (booked.how !== 'acknowledged') return;
  const { value: made } = booked;
  booking.meetId = made.meetId;
  await pause(stage);
  if (random.chance(0.7)) {
    const keepFileIds = made.files.filter(({ name }) => name === 'b.txt').map(({ id }) => id);
    const changed = { ...found, files: ['b.txt', 'c.txt'] };
    const body = { ...editOf(made, found), password: '', keepFileIds };
    if (
      isLost(
        await ledger.change('change', booking, [changed], () =>
          alice.meetings.updateWithFile({ params: { id: made.meetId }, body, files: [fileOf('c.txt')] }),
        ),
      )
    )
      return;
    await pause(stage);
  }
  if (random.chance(0.3))
    await ledger.change('cancellation', booking, [], () =>
      alice.meetings.cancelWithFile({ params: { id: made.meetId }, query: {} }),
    );
}

/** A long meeting that needs approval: it is approved, refused, or not decided. */
async function approval(stage: Stage): Promise<void> {
  const { ledger, random, bob, chair, product } = stage;
  const mark = nextMark();
  const booking = ledger.booking(mark, addressesOf(mark));
  const isSoon = random.chance(0.3);
  const start = isSoon ? Math.ceil(product.now() / MINUTE) * MINUTE + 2 * MINUTE : slotOf(stage);
  const found: Found = {
    subject: `${mark} as booked`,
    start,
    duration: UNAPPROVED_MINUTES + 60,
    rooms: [],
    files: [],
    approval: 'waiting',
  };
  const booked = await ledger.change('booking', booking, [found], () =>
    bob.meetings.createNetwork({
      body: {
        subject: found.subject,
        startTime: iso(start),
        duration: found.duration,
        password: '4821',
        participants: mailsOf(booking.addresses),
      },
    }),
  );
  if (booked.how !== 'acknowledged') return;
  booking.meetId = booked.value.meetId;
  await pause(stage);
  if (isSoon && random.chance(0.7)) return;
  const approve = random.chance(0.6);
  await ledger.change('decision', booking, [{ ...found, approval: approve ? 'approved' : 'refused' }], () =>
    chair.approvals.decide({ params: { id: booked.value.meetId }, body: { approve, version: booked.value.version } }),
  );
}

/** A local meeting that begins in a minute: the clock begins and ends it. */
async function local(stage: Stage): Promise<void> {
  const { ledger, random, alice, product } = stage;
  const mark = nextMark();
  const booking = ledger.booking(mark);
  const start = Math.ceil(product.now() / MINUTE) * MINUTE + MINUTE;
  const roomId = random.pick(stage.roomIds);
  const found: Found = {
    subject: `${mark} as booked`,
    start,
    duration: 5,
    rooms: [roomId],
    files: [],
    approval: 'none',
  };
  const booked = await ledger.change('booking', booking, [found], () =>
    alice.meetings.createLocal({
      body: { subject: found.subject, startTime: iso(start), duration: 5, roomIds: [roomId] },
    }),
  );
  if (booked.how === 'acknowledged') booking.meetId = booked.value.meetId;
}

async function join(
  stage: Stage,
  api: Api,
  booking: Booking,
  numericId: string,
  name?: string,
): Promise<Terminal | undefined> {
  const joined = await stage.ledger.attempt('joining', () => {
    const tooLate = Promise.withResolvers<never>();
    const timer = setTimeout(() => tooLate.reject(new Error('nobody let it in')), JOIN_WITHIN);
    const joining = joinAsTerminal(api, stage.product.url, {
      numericId,
      password: '4821',
      autoSubscribe: false,
      ...(name === undefined ? {} : { name }),
    });
    // A terminal that joins late is treated like the others.
    joining.then(
      (terminal) => stage.inside.push({ booking, terminal }),
      () => undefined,
    );
    return Promise.race([joining, tooLate.promise]).finally(() => clearTimeout(timer));
  });
  return joined.how === 'acknowledged' ? joined.value : undefined;
}

/** A meeting on the real engine: its host ends it, or people leave, vanish or stay. */
async function conference(stage: Stage): Promise<void> {
  const { ledger, random, chair, product } = stage;
  if (stage.inside.length >= MOST_INSIDE) return local(stage);
  const mark = nextMark();
  const booking = ledger.booking(mark, addressesOf(mark));
  const start = Math.ceil(product.now() / MINUTE) * MINUTE + MINUTE;
  const found: Found = {
    subject: `${mark} as booked`,
    start,
    duration: random.pick([5, 60, 240]),
    rooms: [],
    files: [],
    approval: 'none',
  };
  const booked = await ledger.change('booking', booking, [found], () =>
    chair.meetings.createNetwork({
      body: {
        subject: found.subject,
        startTime: iso(start),
        duration: found.duration,
        password: '4821',
        participants: mailsOf(booking.addresses),
      },
    }),
  );
  if (booked.how !== 'acknowledged') return;
  const { meetId, numericId } = booked.value;
  booking.meetId = meetId;
  const host = await join(stage, chair, booking, numericId);
  const guest = host && (await join(stage, product.api, booking, numericId, 'Guest'));
  await pause(stage);
  const gone = (terminal: Terminal | undefined): void => {
    const at = stage.inside.findIndex((one) => one.terminal === terminal);
    if (at >= 0) stage.inside.splice(at, 1);
  };
  const turn = random.next();
  if (turn < 0.4) {
    booking.ending = 'asked';
    if ((await ledger.attempt('ending', () => chair.conferences.end({ params: { meetId } }))).how === 'acknowledged')
      booking.ending = 'acknowledged';
    for (const one of [host, guest]) {
      one?.kill();
      gone(one);
    }
  } else if (turn < 0.6) {
    await host?.leave().catch(() => undefined);
    gone(host);
  } else if (turn < 0.7) {
    guest?.kill();
    gone(guest);
  }
}

/** The actions of clients: some book for later, some have meetings now. */
export const AHEAD_STORIES = [single, single, race, series, series, files, files, approval] as const;
export const NOW_STORIES = [conference, conference, conference, local, approval] as const;

/** Runs one story after the other until stopped; waits while the server is unavailable. */
export async function act(
  stage: Stage,
  stories: readonly ((stage: Stage) => Promise<void>)[],
  goesOn: () => boolean,
): Promise<void> {
  while (goesOn()) {
    if (await stage.product.isUp()) await stage.random.pick(stories)(stage);
    await sleep(100 + stage.random.next() * 300);
  }
}
