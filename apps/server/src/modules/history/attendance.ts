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

/** Somebody's account, and whether they see everybody's times. */
interface Reader {
  userId: string;
  seesAll: boolean;
}

/** Colleagues who were not invited are stored as guests in conferences of earlier releases. */
const partOf = ({ role, accountId }: TerminalRow): TerminalRow['role'] =>
  role === 'guest' && accountId !== null ? 'member' : role;

const iso = (at: number): string => new Date(at).toISOString();

/**
 * Who was inside and when, each person once, in the order they came; for whoever sees all, those too who waited in
 * vain.
 */
export function attendanceOf(
  { sessions, moves, quality, endedAt }: Presence,
  { userId, seesAll }: Reader,
  now: Date,
): Attendance[] {
  const inOrder = staysOf(moves, new Map(sessions.map((row) => [row.termId, row.state])), endedAt);
  const stays = Map.groupBy(inOrder, ({ termId }) => termId);
  const places = new Map(inOrder.map((stay, place) => [stay, place]));
  const reported = new Map(quality.map((row) => [row.termId, row.summary]));
  const qualityOf = (rows: readonly TerminalRow[]): Attendance['quality'] => {
    const summaries = rows.flatMap(({ termId }) => reported.get(termId) ?? []);
    return summaries.length === 0 ? null : presentQuality(summaries.reduce(together));
  };
  const devices = new Map(sessions.map((row) => [row.termId, row.deviceType]));
  const presentStay = ({ termId, joinedAt, leftAt, end }: StayTimes): Attendance['stays'][number] => ({
    termId,
    deviceType: devices.get(termId) ?? 0,
    joinedAt: iso(joinedAt),
    leftAt: leftAt === null ? null : iso(leftAt),
    end,
  });

  const people = [...Map.groupBy(sessions, personOf).values()].map((rows): { place: number; person: Attendance } => {
    const [first] = rows as [TerminalRow];
    const own = rows.flatMap(({ termId }) => stays.get(termId) ?? []).toSorted((a, b) => a.joinedAt - b.joinedAt);
    const isMe = first.accountId === userId;
    const isSeen = seesAll || isMe;
    const waitedOnly = own.length === 0;
    const lasts = own.some(({ leftAt }) => leftAt === null);
    const leaves = own.flatMap(({ leftAt }) => leftAt ?? []);
    const person: Attendance = {
      // Whoever came as several has the newest name they went by, and the highest part they had.
      id: first.termId,
      userId: first.accountId,
      name: rows.at(-1)?.name ?? first.name,
      role: rows.find(({ role }) => role === 'host')?.role ?? partOf(first),
      isMe,
      waitedOnly,
      firstJoin: isSeen && own[0] ? iso(own[0].joinedAt) : null,
      lastLeave: isSeen && !lasts && leaves.length > 0 ? iso(Math.max(...leaves)) : null,
      total: isSeen && !waitedOnly ? Math.round(coveredBy(own, now.getTime()) / 1_000) : null,
      stays: isSeen ? own.map(presentStay) : [],
      quality: isSeen ? qualityOf(rows) : null,
    };
    return { place: (own[0] && places.get(own[0])) ?? inOrder.length, person };
  });
  return people
    .filter(({ person: { waitedOnly, isMe } }) => seesAll || isMe || !waitedOnly)
    .toSorted((a, b) => a.place - b.place)
    .map(({ person }) => person);
}
