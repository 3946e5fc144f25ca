import type { Attendance } from '@rmeet/contract';
import type { TerminalRow } from '../conferences/tables.ts';
import { personOf } from './repo.ts';
import { coveredBy, staysOf, type Move, type StayTimes } from './stays.ts';
import { presentQuality, together } from './summary.ts';
import type { TerminalQualityRow } from './tables.ts';

interface Presence {
  sessions: readonly TerminalRow[];
  moves: readonly Move[];
  quality: readonly TerminalQualityRow[];
  endedAt: Date | null;
}

/** The reader's account, and whether they see everybody's times. */
interface Reader {
  userId: string;
  seesAll: boolean;
}

/** Colleagues who were not invited are stored as guests in conferences of earlier releases. */
const partOf = ({ role, accountId }: TerminalRow): TerminalRow['role'] =>
  role === 'guest' && accountId !== null ? 'member' : role;

const iso = (at: number): string => new Date(at).toISOString();

/** Media quality by termId, merged over the terminals of a person. */
function qualityOf(
  rows: readonly TerminalRow[],
  summaries: ReadonlyMap<string, TerminalQualityRow['summary']>,
): Attendance['quality'] {
  const own = rows.flatMap(({ termId }) => summaries.get(termId) ?? []);
  return own.length === 0 ? null : presentQuality(own.reduce(together));
}

/** When a person first joined, last left, and for how long they were inside in total. */
function timesOf(stays: readonly StayTimes[], now: Date): Pick<Attendance, 'firstJoin' | 'lastLeave' | 'total'> {
  const [first] = stays;
  const isInside = stays.some(({ leftAt }) => leftAt === null);
  const leaves = stays.flatMap(({ leftAt }) => leftAt ?? []);
  return {
    firstJoin: first ? iso(first.joinedAt) : null,
    lastLeave: !isInside && leaves.length > 0 ? iso(Math.max(...leaves)) : null,
    total: first ? Math.round(coveredBy(stays, now.getTime()) / 1_000) : null,
  };
}

/** What everybody may see of a person. A person with several sessions has the newest name and the highest role. */
function publicPart(
  rows: readonly TerminalRow[],
  userId: string,
): Pick<Attendance, 'id' | 'userId' | 'name' | 'role' | 'isMe'> {
  const [first] = rows as [TerminalRow];
  return {
    id: first.termId,
    userId: first.accountId,
    name: rows.at(-1)?.name ?? first.name,
    role: rows.find(({ role }) => role === 'host')?.role ?? partOf(first),
    isMe: first.accountId === userId,
  };
}

const HIDDEN = { firstJoin: null, lastLeave: null, total: null, stays: [], quality: null };

/**
 * Who was inside and when, each person once, in the order of their arrival. Readers who see everything also see people
 * who only waited.
 */
export function attendanceOf(
  { sessions, moves, quality, endedAt }: Presence,
  { userId, seesAll }: Reader,
  now: Date,
): Attendance[] {
  const inOrder = staysOf(moves, new Map(sessions.map((row) => [row.termId, row.state])), endedAt);
  const stays = Map.groupBy(inOrder, ({ termId }) => termId);
  const places = new Map(inOrder.map((stay, place) => [stay, place]));
  const summaries = new Map(quality.map((row) => [row.termId, row.summary]));
  const devices = new Map(sessions.map((row) => [row.termId, row.deviceType]));
  const presentStay = ({ termId, joinedAt, leftAt, end }: StayTimes): Attendance['stays'][number] => ({
    termId,
    deviceType: devices.get(termId) ?? 0,
    joinedAt: iso(joinedAt),
    leftAt: leftAt === null ? null : iso(leftAt),
    end,
  });

  const people = [...Map.groupBy(sessions, personOf).values()].map((rows): { place: number; person: Attendance } => {
    const own = rows.flatMap(({ termId }) => stays.get(termId) ?? []).toSorted((a, b) => a.joinedAt - b.joinedAt);
    const shared = publicPart(rows, userId);
    const details =
      seesAll || shared.isMe
        ? { ...timesOf(own, now), stays: own.map(presentStay), quality: qualityOf(rows, summaries) }
        : HIDDEN;
    const person: Attendance = { ...shared, waitedOnly: own.length === 0, ...details };
    return { place: (own[0] && places.get(own[0])) ?? inOrder.length, person };
  });
  return people
    .filter(({ person: { waitedOnly, isMe } }) => seesAll || isMe || !waitedOnly)
    .toSorted((a, b) => a.place - b.place)
    .map(({ person }) => person);
}
