import { asc, eq } from 'drizzle-orm';
import type { Banner } from '@rmeet/conference';
import type { RecordingIndex, RecordingTimeline } from '@rmeet/contract';
import type { TenantTx } from '../../../../platform/db/index.ts';
import { terminalSession, type ChatMessageRow, type TerminalRow } from '../../../conferences/tables.ts';
import { personOf, staysOf } from '../../../history/index.ts';
import type { MeetingRow } from '../../../meetings/tables.ts';
import type { RecordingRow } from '../../tables.ts';
import { chaptersOf } from './chapters.ts';
import { controlOf, readChat, readLog, type ControlLog } from './log.ts';

/** Captions for all, each until the next ones, or until they were to end. */
export function captionsOf({ first, commands }: ControlLog): RecordingTimeline['captions'] {
  const captions: RecordingTimeline['captions'] = [];
  let open: { from: number; text: string; until: number | null } | undefined;
  const show = (at: number, banner: Banner | null): void => {
    if (open && open.from < at)
      captions.push({ from: open.from, text: open.text, to: open.until === null ? at : Math.min(at, open.until) });
    const lasts = banner?.until ? Date.parse(banner.until) - Date.parse(banner.since) : null;
    open = banner ? { from: at, text: banner.text, until: lasts === null ? null : at + lasts } : undefined;
  };
  show(0, first.banner);
  for (const { at, changes } of commands) {
    const change = changes.find(({ termId, field }) => termId === null && field === 'banner');
    if (change) show(at, change.after as Banner | null);
  }
  if (open) captions.push({ from: open.from, text: open.text, to: open.until });
  return captions;
}

function votesOf({ commands }: ControlLog): RecordingTimeline['votes'] {
  const votes: RecordingTimeline['votes'] = [];
  for (const { command, at } of commands) {
    if (command.verb === 'vote')
      votes.push({ at, question: command.question, options: command.options.map((text) => ({ text, count: 0 })) });
    if (command.verb === 'voteClose')
      votes.at(-1)?.options.forEach((option, n) => Object.assign(option, { count: command.counts[n] ?? 0 }));
  }
  return votes;
}

/** Hands that were answered or lowered: raising one is no command, and is not kept. */
function handsOf({ commands }: ControlLog, nameOf: (termId: string) => string): RecordingTimeline['hands'] {
  return commands.flatMap(({ command, at }) => {
    const termIds =
      command.verb === 'lowerHands'
        ? command.termIds
        : command.verb === 'giveFloor' && command.termId !== null
          ? [command.termId]
          : [];
    return termIds.map((termId) => ({ at, name: nameOf(termId), raised: false }));
  });
}

/** Who was there during the recording, each person once, in the order of arrival. */
function attendanceOf(
  log: ControlLog,
  sessions: readonly TerminalRow[],
  row: RecordingRow,
): RecordingTimeline['attendance'] {
  const began = row.startedAt;
  const presentAtStart = Object.entries(log.first.terminals)
    .filter(([, { present }]) => present)
    .map(([termId]) => ({
      command: { verb: 'arrive' as const, termId, name: '', role: 'guest' as const, previousTermId: null },
      createdAt: began,
    }));
  const moves = log.commands.map(({ command, at }) => ({ command, createdAt: new Date(began.getTime() + at) }));
  const states = new Map(sessions.map(({ termId, state }) => [termId, state]));
  const stays = Map.groupBy(staysOf([...presentAtStart, ...moves], states, row.endedAt), ({ termId }) => termId);
  return [...Map.groupBy(sessions, personOf).values()].flatMap((own) => {
    const all = own.flatMap(({ termId }) => stays.get(termId) ?? []).toSorted((a, b) => a.joinedAt - b.joinedAt);
    if (all.length === 0) return [];
    const since = (time: number): number => Math.max(0, time - began.getTime());
    return [
      {
        name: own.at(-1)?.name ?? '',
        isGuest: own.every(({ accountId }) => accountId === null),
        stays: all.map(({ joinedAt, leftAt }) => ({
          from: since(joinedAt),
          to: leftAt === null ? null : since(leftAt),
        })),
      },
    ];
  });
}

function speakingOf({ speaking }: RecordingIndex, nameOf: (termId: string) => string): RecordingTimeline['speaking'] {
  return [...Map.groupBy(speaking, ({ termId }) => termId)].map(([termId, spans]) => ({
    termId,
    name: nameOf(termId),
    spans: spans.map(({ from, to }) => ({ from, to })),
  }));
}

/** A name card that is shorter is hardly noticed, and a break that is shorter does not end it; ms. */
const LEAST_CARD = 2_000;

function cardsOf({ cards = [] }: RecordingIndex, nameOf: (termId: string) => string): RecordingTimeline['cards'] {
  const joined: RecordingTimeline['cards'] = [];
  for (const { from, to, termId, reason } of cards) {
    const name = nameOf(termId);
    const last = joined.at(-1);
    if (last?.name === name && last.reason === reason && from - last.to < LEAST_CARD) last.to = to;
    else joined.push({ from, to, name, reason });
  }
  return joined.filter(({ from, to }) => to - from >= LEAST_CARD);
}

/** Files that came with a message have a name, but no text. */
const chatOf = (messages: readonly ChatMessageRow[], began: Date): RecordingTimeline['chat'] =>
  messages
    .filter(({ text }) => text !== '')
    .map(({ id, name, text, sentAt }) => ({ id, at: sentAt.getTime() - began.getTime(), name, text }));

/** What happened when, for the people who may watch a recording. */
export async function timelineOf(
  tx: TenantTx,
  row: RecordingRow,
  { agenda }: Pick<MeetingRow, 'agenda'>,
  index: RecordingIndex,
  now: Date,
): Promise<RecordingTimeline> {
  const log = await readLog(tx, row);
  const sessions = await tx.find(terminalSession, eq(terminalSession.conferenceId, row.conferenceId), {
    orderBy: [asc(terminalSession.createdAt), asc(terminalSession.termId)],
  });
  const names = new Map(sessions.map(({ termId, name }) => [termId, name]));
  const nameOf = (termId: string): string => names.get(termId) ?? '';
  const end = (row.endedAt ?? now).getTime() - row.startedAt.getTime();
  return {
    chapters: chaptersOf(log, index, { agenda, end, nameOf }),
    speaking: speakingOf(index, nameOf),
    chat: chatOf(await readChat(tx, row), row.startedAt),
    captions: captionsOf(log),
    hands: handsOf(log, nameOf),
    votes: votesOf(log),
    attendance: attendanceOf(log, sessions, row),
    gaps: index.gaps.map(({ from, to, reason }) => ({ from, to, reason })),
    cards: cardsOf(index, nameOf),
    control: controlOf(log),
  };
}
