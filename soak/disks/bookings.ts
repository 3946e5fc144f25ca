import { CallError, type Api, type RunningServer } from '@rmeet/testkit';

const HOUR = 3_600_000;
/** No meeting begins while the soak runs. */
const AHEAD = 24 * HOUR;
const PAGE = 200;
const PEOPLE = ['chair', 'alice', 'bob'];
/** The errors people see while the disk is full, or the server is unavailable for a moment. */
const EXPECTED = new Set(['DISK_FULL', 'SERVICE_BUSY', 'DATABASE_DAMAGED']);

/** The bookings, and the error codes of rejected calls. */
export interface Bookings {
  /** Subjects of meetings whose booking was acknowledged. */
  acknowledged: Set<string>;
  /** How often each code was returned. */
  refused: Map<string, number>;
}

export const noBookings = (): Bookings => ({ acknowledged: new Set(), refused: new Map() });

let booked = 0;

async function bookOne(api: Api, { acknowledged, refused }: Bookings): Promise<void> {
  const number = (booked += 1);
  const subject = `Disk${number}`;
  const startTime = new Date(Math.ceil(Date.now() / HOUR) * HOUR + AHEAD + (number * HOUR) / 2).toISOString();
  try {
    await api.meetings.createNetwork({
      body: { subject, startTime, duration: 30, participants: [], password: '4821' },
    });
    acknowledged.add(subject);
  } catch (error) {
    if (!(error instanceof CallError)) return; // no response: the server is unavailable
    refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
  }
}

/** People who may book, signed in before the fault. */
export const signIn = ({ api }: RunningServer): Promise<Api[]> => Promise.all(PEOPLE.map((account) => api.as(account)));

/** People book one meeting after the other until `isOver`. */
export async function book(people: readonly Api[], bookings: Bookings, isOver: () => boolean): Promise<void> {
  await Promise.all(
    people.map(async (api) => {
      while (!isOver()) await bookOne(api, bookings);
    }),
  );
}

/** Codes that neither a full disk nor damage explains. */
export const unexpected = ({ refused }: Bookings): string[] =>
  [...refused.keys()].filter((code) => !EXPECTED.has(code));

/** Subjects of acknowledged meetings that are missing. */
export async function missing({ api }: RunningServer, { acknowledged }: Bookings): Promise<string[]> {
  const admin = await api.as('admin');
  const found = new Set<string>();
  for (let current = 1; ; current += 1) {
    const { records } = await admin.meetings.list({
      query: { size: PAGE, current, keyword: 'Disk', tenantWide: 'true' },
    });
    for (const { subject } of records) found.add(subject);
    if (records.length < PAGE) return [...acknowledged.difference(found)];
  }
}
