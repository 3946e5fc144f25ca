import { controlOrder, type ConferenceControl } from '@rmeet/conference';
import {
  ENGINE_ACK,
  type DeskState,
  type DeskTerminal,
  type LoggedCommand,
  type TerminalReport,
} from '@rmeet/contract';
import { diagnose, type Cause } from './diagnose.ts';

/** A terminal that has not answered a command for so many ms is marked. */
export const LATE_AFTER = 3_000;
/** Only the newest commands tell how a terminal answers. */
const COMMANDS_LOOKED_AT = 20;

/** What the media engine tells of a terminal; quicker than reports, and of clients that make none, too. */
export interface Sending {
  microphone: boolean;
  speaking: boolean;
  quality: TerminalReport['quality'];
  /** Shares content. */
  sharing: boolean;
}

/**
 * One terminal as lists and walls show it: everything in one flat record, so that two can be compared field by field.
 */
export interface TerminalRow {
  readonly termId: string;
  readonly name: string;
  readonly department: string;
  readonly account: string | null;
  readonly userId: string | null;
  readonly deviceType: number;
  readonly role: DeskTerminal['role'];
  readonly invited: boolean;
  readonly chair: boolean;
  readonly coChair: boolean;
  readonly joinedAt: string;
  readonly handRaisedAt: string | null;
  /** Held by the chair. */
  readonly muted: boolean;
  readonly unmuteAsked: boolean;
  readonly cameraOff: boolean;
  readonly microphone: boolean | null;
  readonly camera: boolean | null;
  readonly speaking: boolean;
  readonly onAir: boolean;
  readonly volume: number;
  readonly maxHeight: number | null;
  readonly top: boolean;
  readonly sharing: boolean;
  /** Its shared content is held. */
  readonly contentOff: boolean;
  /** It alone may share. */
  readonly contentLocked: boolean;
  /** It has a layout of its own; captions of its own. */
  readonly ownLayout: boolean;
  readonly ownBanner: boolean;
  readonly quality: TerminalReport['quality'];
  /** Percent, the worse of both directions; null while not known. */
  readonly loss: number | null;
  /** Milliseconds. */
  readonly roundTrip: number | null;
  readonly cause: Cause | null;
  /** Milliseconds it took for the newest command it has answered. */
  readonly latency: number | null;
  /** It owes an answer for more than LATE_AFTER. */
  readonly late: boolean;
  /** Why it could not do what it was last told, as a word of ACK_FAILURES. */
  readonly failed: string | null;
  readonly cannot: DeskTerminal['cannot'];
}

export interface RowSources {
  state: DeskState;
  reports: ReadonlyMap<string, TerminalReport>;
  sending: ReadonlyMap<string, Sending>;
  /** When this desk first saw a command, by commandId; ms. */
  seenAt: ReadonlyMap<string, number>;
  /** Milliseconds. */
  now: number;
  previous: readonly TerminalRow[];
}

/** The terminals inside in the order of the conference. Rows that have not changed are the same objects as before. */
export function rowsOf({ state, reports, sending, seenAt, now, previous }: RowSources): readonly TerminalRow[] {
  const { control } = state;
  const answers = answersOf(state.commands, seenAt, now);
  const known = new Map(previous.map((row) => [row.termId, row]));
  const rows = inOrder(state).map((terminal) => {
    const row = rowOf(
      terminal,
      control,
      reports.get(terminal.termId),
      sending.get(terminal.termId),
      answers.get(terminal.termId),
    );
    const before = known.get(row.termId);
    return before !== undefined && isSame(before, row) ? before : row;
  });
  const isUnchanged = rows.length === previous.length && rows.every((row, at) => row === previous[at]);
  return isUnchanged ? previous : rows;
}

/** Whoever the control has not heard of yet stands at the end. */
function inOrder({ control, terminals }: DeskState): DeskTerminal[] {
  const byId = new Map(terminals.map((terminal) => [terminal.termId, terminal]));
  const ordered = controlOrder(control).flatMap((termId) => byId.get(termId) ?? []);
  const placed = new Set(ordered);
  return [...ordered, ...terminals.filter((terminal) => !placed.has(terminal))];
}

function rowOf(
  {
    termId,
    name,
    department,
    account,
    userId,
    deviceType,
    role,
    invited,
    joinedAt,
    handRaisedAt,
    cannot,
  }: DeskTerminal,
  control: ConferenceControl,
  report: TerminalReport | undefined,
  sending: Sending | undefined,
  answer: Answer = NO_ANSWER,
): TerminalRow {
  return {
    termId,
    name: control.terminals[termId]?.name ?? name,
    department,
    account,
    userId,
    deviceType,
    role,
    invited,
    joinedAt,
    handRaisedAt,
    cannot,
    ...controlPart(control, termId),
    ...mediaPart(report, sending),
    ...answer,
  };
}

type ControlPart = Pick<
  TerminalRow,
  | 'chair'
  | 'coChair'
  | 'muted'
  | 'unmuteAsked'
  | 'cameraOff'
  | 'onAir'
  | 'volume'
  | 'maxHeight'
  | 'top'
  | 'contentOff'
  | 'contentLocked'
  | 'ownLayout'
  | 'ownBanner'
>;

function controlPart(control: ConferenceControl, termId: string): ControlPart {
  const {
    muted = false,
    unmuteAsked = false,
    cameraOff = false,
    volume = 100,
    maxHeight = null,
    top = false,
    contentOff = false,
    layout = null,
    banner = null,
  } = control.terminals[termId] ?? {};
  return {
    chair: control.chairId === termId,
    coChair: control.coChairIds.includes(termId),
    muted,
    unmuteAsked,
    cameraOff,
    onAir: isOnAir(control, termId),
    volume,
    maxHeight,
    top,
    contentOff,
    contentLocked: control.contentLockId === termId,
    ownLayout: layout !== null,
    ownBanner: banner !== null,
  };
}

type MediaPart = Pick<
  TerminalRow,
  'microphone' | 'camera' | 'speaking' | 'sharing' | 'quality' | 'loss' | 'roundTrip' | 'cause'
>;

/** The media engine's report comes first, because it is faster than the terminal's; quality the other way round. */
function mediaPart(report: TerminalReport | undefined, sending: Sending | undefined): MediaPart {
  const { microphone, camera, loss, cause } = healthOf(report);
  return {
    microphone: sending?.microphone ?? microphone,
    camera,
    speaking: sending?.speaking ?? report?.speaking ?? false,
    sharing: sending?.sharing ?? false,
    quality: report?.quality ?? sending?.quality ?? 'unknown',
    loss,
    roundTrip: report?.roundTrip ?? null,
    cause,
  };
}

/** Put on air by name, or by a turn of polling; who merely speaks is not. */
function isOnAir({ mode, speakerId, polling }: ConferenceControl, termId: string): boolean {
  if (mode === 'POLLING') return polling?.turn?.termId === termId;
  return (mode === 'SPEAKER' || mode === 'LECTURE') && speakerId === termId;
}

/** What a row shows of a report. */
interface Health {
  microphone: boolean | null;
  camera: boolean | null;
  loss: number | null;
  cause: Cause | null;
}

const UNKNOWN_HEALTH: Health = { microphone: null, camera: null, loss: null, cause: null };
/** Rows are made many times from the same report. */
const healths = new WeakMap<TerminalReport, Health>();

function healthOf(report: TerminalReport | undefined): Health {
  if (report === undefined) return UNKNOWN_HEALTH;
  const known = healths.get(report);
  if (known !== undefined) return known;
  const sends = (source: 'microphone' | 'camera'): boolean =>
    report.streams.some((stream) => stream.direction === 'up' && stream.source === source && (stream.bitrate ?? 0) > 0);
  const losses = report.streams.flatMap(({ loss }) => loss ?? []);
  const health: Health = {
    microphone: sends('microphone'),
    camera: sends('camera'),
    // In whole percent, so that rows do not change with every decimal.
    loss: losses.length === 0 ? null : Math.round(Math.max(...losses)),
    cause: diagnose(report)?.cause ?? null,
  };
  healths.set(report, health);
  return health;
}

interface Answer {
  latency: number | null;
  late: boolean;
  failed: string | null;
}

const NO_ANSWER: Answer = { latency: null, late: false, failed: null };

/**
 * How each terminal answers: the time its newest answer took, and whether it owes one for too long. An answer to a
 * later command answers the earlier ones, as acknowledgements count up to a version.
 */
function answersOf(
  commands: readonly LoggedCommand[],
  seenAt: ReadonlyMap<string, number>,
  now: number,
): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const { commandId, concerned, acknowledgements } of commands.slice(0, COMMANDS_LOOKED_AT)) {
    for (const { termId, latency, failed } of acknowledgements) {
      if (termId === ENGINE_ACK) continue;
      const answer = answers.get(termId);
      if (answer === undefined) answers.set(termId, { latency, failed, late: false });
      else if (answer.latency === null) answers.set(termId, { ...answer, latency, failed });
    }
    const isOverdue = now - (seenAt.get(commandId) ?? now) > LATE_AFTER;
    if (!isOverdue) continue;
    for (const termId of concerned) if (!answers.has(termId)) answers.set(termId, { ...NO_ANSWER, late: true });
  }
  return answers;
}

function isSame(a: TerminalRow, b: TerminalRow): boolean {
  return (Object.keys(b) as (keyof TerminalRow)[]).every((key) => a[key] === b[key]);
}
