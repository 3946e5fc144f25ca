import {
  NO_CONTROL,
  applyCommand,
  controlChanges,
  type ConferenceCommand,
  type ConferenceControl,
} from '@rmeet/conference';
import type {
  ControlStep,
  DeskState,
  DeskTerminal,
  LoggedCommand,
  MediaStream,
  PushMessage,
  TerminalReport,
} from '@rmeet/contract';

/** A simulated conference: its state as a desk receives it, and the push messages of a busy conference. */

export const MEET_ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const CONFERENCE_ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12';
const TOPIC = `meeting:${MEET_ID}`;
const START = Date.parse('2026-11-20T09:00:00.000Z');

const SURNAMES = ['李', '王', '张', '刘', '陈', '杨', '赵', '黄', '周', '吴'];
const GIVEN = ['伟', '芳', '娜', '敏', '静', '丽', '强', '磊', '洋', '艳', '勇', '军', '杰', '娟', '涛'];
const DEPARTMENTS = ['心内科', '神经外科', '急诊医学科', '放射科', '信息中心', '院办公室', ''];
const ENGLISH = ['Alice Martin', 'Bob Keller', 'Carol Novak', 'Dave Okafor', 'Erin Walsh'];
const DEVICES = [1, 5, 3, 20, 2, 6, 9, 22, 0, 30];

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T;
const uuid = (count: number): string => `0198f6a2-0000-7000-8000-${count.toString(16).padStart(12, '0')}`;
export const termIdOf = (at: number): string => `T${at.toString(36).padStart(10, '0')}`;

function nameOf(at: number): string {
  if (at % 9 === 4) return `${300 + at} 会议室`;
  if (at % 7 === 3) return pick(ENGLISH, at);
  return `${pick(SURNAMES, at * 7)}${pick(GIVEN, at * 3)}${at % 3 === 0 ? pick(GIVEN, at * 5 + 1) : ''}`;
}

function terminalOf(at: number): DeskTerminal {
  const deviceType = at === 0 ? 5 : pick(DEVICES, at);
  const cannot: Record<string, string> = deviceType === 0 ? { camera: 'device', limitVideo: 'device' } : {};
  return {
    termId: termIdOf(at),
    name: at === 5 ? '北院区多学科联合会诊中心第一远程会议室（主会场备用终端）' : nameOf(at),
    role: at === 0 ? 'host' : at % 8 === 7 ? 'guest' : 'member',
    deviceType,
    userId: at % 8 === 7 ? null : uuid(1_000 + at),
    account: at % 8 === 7 ? null : `staff${1_000 + at}`,
    department: at % 8 === 7 ? '' : pick(DEPARTMENTS, at * 5),
    invited: at % 8 !== 7,
    joinedAt: new Date(START + at * 1_000).toISOString(),
    handRaisedAt: at % 23 === 6 ? new Date(START + 600_000 + at).toISOString() : null,
    cannot,
  };
}

/** Reproducible pseudo-random numbers. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

function stream(direction: 'up' | 'down', source: MediaStream['source'], over: Partial<MediaStream>): MediaStream {
  return {
    direction,
    source,
    peer: null,
    end: 'terminal',
    codec: source === 'camera' ? 'VP8' : 'opus',
    width: null,
    height: null,
    frames: null,
    bitrate: 32_000,
    loss: 0,
    jitter: 4,
    roundTrip: 28,
    layers: [],
    ...over,
  };
}

/** The report of one terminal; every eleventh has a lossy uplink, a few others have other problems. */
export function reportOf(at: number, random: () => number): TerminalReport {
  const loss = at % 11 === 5 ? 8 + random() * 2 : random() * 0.8;
  const hasCamera = at % 4 !== 2;
  const camera = stream('up', 'camera', {
    width: 1280,
    height: 720,
    frames: 28 + random() * 2,
    bitrate: 1_600_000 + random() * 200_000,
    loss,
    layers: [180, 360, 720].map((height, index) => ({
      rid: 'qhf'[index] ?? 'q',
      width: (height * 16) / 9,
      height,
      frames: 30,
      bitrate: [150_000, 500_000, 1_500_000][index] ?? 0,
      active: true,
    })),
  });
  const received = [0, 1, 2].map((peer) =>
    stream('down', 'camera', {
      peer: termIdOf(peer),
      width: 640,
      height: 360,
      frames: 25,
      bitrate: 480_000 + random() * 40_000,
      loss: random() * 0.4,
      jitter: 6 + random() * 4,
    }),
  );
  return {
    quality: at % 11 === 5 ? 'poor' : at % 37 === 30 ? 'lost' : 'good',
    estimateUp: 2_400_000 + random() * 100_000,
    estimateDown: 8_000_000,
    roundTrip: 24 + random() * 20,
    limitedBy: at % 29 === 12 ? 'cpu' : 'none',
    speaking: random() < 0.05,
    streams: [
      ...(hasCamera ? [camera, { ...camera, end: 'engine' as const, layers: [] }] : []),
      stream('up', 'microphone', { loss: loss / 2 }),
      ...received,
    ],
  };
}

/** A conference changed by commands, with the resulting steps. */
class Conference {
  control: ConferenceControl = NO_CONTROL;
  #commands = 0;

  step(command: ConferenceCommand, by: string, at: number, affected: readonly string[]): ControlStep {
    const after = applyCommand(this.control, command);
    const changes = controlChanges(this.control, after);
    this.control = after;
    const kind = by === '' ? 'server' : 'user';
    return {
      commandId: uuid(++this.#commands),
      version: after.version,
      verb: command.verb,
      by: { kind, name: by, termId: null },
      at: new Date(at).toISOString(),
      changes,
      affected: [...affected],
    };
  }
}

const ALL_VERBS = [
  'mute',
  'muteAll',
  'askUnmute',
  'camera',
  'volume',
  'limitVideo',
  'entry',
  'chairman',
  'coChairs',
  'speaker',
  'mode',
  'lock',
  'record',
  'rename',
  'top',
  'sort',
  'admit',
  'refuse',
  'sendBack',
  'remove',
  'call',
  'extend',
  'grant',
  'end',
  'undo',
  'layout',
  'seats',
  'terminalLayout',
  'window',
  'contentLock',
  'dualStream',
  'banner',
  'polling',
  'scene',
];

export interface Busy {
  state: DeskState;
  conference: Conference;
}

/** A conference with this number of terminals, with waiting people, absentees and a few commands in its log. */
// oxlint-disable-next-line max-lines-per-function -- One flat record of the state.
export function busyConference(
  count: number,
  {
    can = ALL_VERBS,
    waiting = 3,
    now = START + 1_500_000,
  }: { can?: readonly string[]; waiting?: number; now?: number } = {},
): Busy {
  const conference = new Conference();
  const terminals = Array.from({ length: count }, (_, at) => terminalOf(at));
  for (const { termId, name, role } of terminals)
    conference.step({ verb: 'arrive', termId, name, role, previousTermId: null }, '', START, []);
  const all = terminals.map(({ termId }) => termId);
  const some = all.filter((_, at) => at % 5 === 1);
  const given: [ConferenceCommand, number, readonly string[]][] = [
    [{ verb: 'mute', termIds: some, muted: true }, 400_000, some],
    [{ verb: 'coChairs', termIds: all.slice(1, 2), appoint: true }, 300_000, all.slice(1, 2)],
    [{ verb: 'camera', termIds: all.slice(8, 9), open: false }, 200_000, all.slice(8, 9)],
    [{ verb: 'speaker', termId: all[2] ?? null }, 60_000, all],
    [{ verb: 'lock', locked: true }, 30_000, []],
  ];
  const logged = given.map(([command, ago, affected], at): LoggedCommand => {
    const answered = affected.slice(0, at === 3 ? -1 : undefined);
    const acknowledgements = answered.map((termId, index) => ({
      termId,
      latency: 20 + ((index * 37) % 140),
      failed: termId === all[7] ? 'deviceRefused' : null,
    }));
    return Object.assign(conference.step(command, '李伟', now - ago, affected), {
      input: { ...command },
      undoneBy: null,
      canUndo: true,
      acknowledgements,
    });
  });
  const state: DeskState = {
    desk: true,
    meetId: MEET_ID,
    conferenceId: CONFERENCE_ID,
    subject: '心内科多学科联合会诊 · 第 12 次',
    numericId: '482913057',
    host: '李伟',
    startedAt: new Date(now - 1_500_000).toISOString(),
    bookedUntil: new Date(now + 240_000).toISOString(),
    endsAt: null,
    engine: 'rz',
    cannot: {},
    scenes: [],
    can: [...can],
    control: conference.control,
    terminals,
    waiting: Array.from({ length: waiting }, (_, at) => ({
      termId: `W${at}`,
      name: nameOf(200 + at),
      since: new Date(now - 90_000 - at * 20_000).toISOString(),
      message: at === 0 ? '我是三病区李医生，主任让我参加讨论。' : null,
      deviceType: pick(DEVICES, at),
    })),
    invitees: Array.from({ length: 5 }, (_, at) => ({
      termId: `U${at}`,
      userId: uuid(5_000 + at),
      name: nameOf(300 + at),
      department: pick(DEPARTMENTS, at),
      state: (['absent', 'ringing', 'declined', 'absent', 'absent'] as const)[at] ?? 'absent',
      calledAt: at === 1 ? new Date(now - 8_000).toISOString() : null,
      mail: (['none', 'SUCCESS', 'none', 'SENDING', 'FAIL'] as const)[at] ?? 'none',
    })),
    commands: logged.toReversed(),
  };
  return { state, conference };
}

type Event = Extract<PushMessage, { event: unknown }>['event'];

/** One message of a recorded stream and its time; ms from the start. */
export interface Recorded {
  at: number;
  message: PushMessage;
}

/**
 * The push messages for a desk with this number of busy terminals: each reports every 2 s, in ten batches; two commands
 * per second with their acknowledgements in batches; hands are raised and lowered. More than fifty messages per second.
 */
// oxlint-disable-next-line max-lines-per-function -- One generator of events; its counters are shared.
export function recordedStream({ state, conference }: Busy, milliseconds: number, firstVersion = 1): Recorded[] {
  const random = chance(7);
  const all = state.terminals.map(({ termId }) => termId);
  const terminals = new Map(state.terminals.map((each) => [each.termId, each]));
  const some = (): string => all[Math.floor(random() * all.length)] ?? '';
  const told: { at: number; event: Event | null; reports: Record<string, TerminalReport> }[] = [];
  const tell = (at: number, event: Event): void => void told.push({ at, event, reports: {} });

  for (let at = 0; at < milliseconds; at += 20) {
    if (at % 200 === 0) {
      const batch = (at / 200) % 10;
      const reports = Object.fromEntries(
        all.flatMap((termId, index) => (index % 10 === batch ? [[termId, reportOf(index, random)]] : [])),
      );
      told.push({ at, event: null, reports });
    } else if (at % 500 === 20) {
      const termId = some();
      const muted = conference.control.terminals[termId]?.muted !== true;
      const everybody = at % 4_000 === 20;
      const affected = everybody ? all : [termId];
      const step = everybody
        ? conference.step(
            { verb: 'muteAll', muted: at % 8_000 === 20, except: [], allowSelfUnmute: null },
            '李伟',
            START + at,
            affected,
          )
        : at % 1_500 === 520
          ? conference.step({ verb: 'speaker', termId }, '李伟', START + at, all)
          : conference.step({ verb: 'mute', termIds: [termId], muted }, '李伟', START + at, affected);
      tell(at, { type: 'control', step });
      tell(at, {
        type: 'commandInput',
        commandId: step.commandId,
        input: { termIds: affected, muted },
        canUndo: true,
        undoes: null,
      });
      for (let part = 0; part < step.affected.length; part += 12) {
        const acks = step.affected.slice(part, part + 12).map((id) => ({
          commandId: step.commandId,
          termId: id,
          latency: 30 + Math.floor(random() * 200),
          failed: null,
        }));
        tell(at + 60 + part, { type: 'acknowledged', acks });
      }
    } else {
      const known = terminals.get(some());
      if (!known) continue;
      const { userId: _, account: __, department: ___, cannot: ____, ...seen } = known;
      const changed = { ...seen, handRaisedAt: random() < 0.5 ? new Date(START + at).toISOString() : null };
      tell(at, { type: 'terminalChanged', terminal: changed });
    }
  }
  // Numbered in sending order; a gap would make the desk fetch the whole state again.
  let version = firstVersion;
  return told
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, event, reports }): Recorded => {
      if (event === null) return { at, message: { topic: TOPIC, reports } };
      version += 1;
      return { at, message: { topic: TOPIC, version, previous: version - 1, event } };
    });
}
