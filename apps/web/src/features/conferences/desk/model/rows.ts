import { controlOrder, type ConferenceControl } from '@rmeet/conference';
import {
  ENGINE_ACK,
  type DeskState,
  type DeskTerminal,
  type LoggedCommand,
  type TerminalReport,
} from '@rmeet/contract';
import { diagnose, type Cause } from './diagnose.ts';

/** A terminal that has not acknowledged a command after this time is marked as late; ms. */
export const LATE_AFTER = 3_000;
/** Only the newest commands are used to judge how a terminal responds. */
const COMMANDS_LOOKED_AT = 20;

/**
 * What the media engine reports about a terminal: faster than the terminal's reports, and also available for clients
 * that send none.
 */
export interface Sending {
  microphone: boolean;
  speaking: boolean;
  quality: TerminalReport['quality'];
  /** Whether it shares content. */
  sharing: boolean;
}

/** One terminal as lists and walls show it: a flat record, so that two can be compared field by field. */
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
  /** Its shared content is held by the chair. */
  readonly contentOff: boolean;
  /** Only this terminal may share. */
  readonly contentLocked: boolean;
  /** It has its own layout; its own captions. */
  readonly ownLayout: boolean;
  readonly ownBanner: boolean;
  readonly quality: TerminalReport['quality'];
  /** Percent, the worse of both directions; null if unknown. */
  readonly loss: number | null;
  /** Milliseconds. */
  readonly roundTrip: number | null;
  readonly cause: Cause | null;
  /** Latency of its newest acknowledgement; ms. */
  readonly latency: number | null;
  /** An acknowledgement is overdue by more than LATE_AFTER. */
  readonly late: boolean;
  /** Why it could not obey its last command; one of ACK_FAILURES. */
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

/** The terminals inside, in the order of the conference. Unchanged rows are the same objects as before. */
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

/** Terminals the control does not list yet come last. */
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

/**
 * For media, the engine's report has priority because it is faster than the terminal's; for quality, the terminal's
 * has.
 */
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

/** On air by the chair's choice or by a turn of polling; being the active speaker is not enough. */
function isOnAir({ mode, speakerId, polling }: ConferenceControl, termId: string): boolean {
  if (mode === 'POLLING') return polling?.turn?.termId === termId;
  return (mode === 'SPEAKER' || mode === 'LECTURE') && speakerId === termId;
}

/** The part of a report that a row shows. */
interface Health {
  microphone: boolean | null;
  camera: boolean | null;
  loss: number | null;
  cause: Cause | null;
}

const UNKNOWN_HEALTH: Health = { microphone: null, camera: null, loss: null, cause: null };
/** Cached: rows are computed many times from the same report. */
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
    // In whole percent, so that rows do not change with every decimal place.
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
 * How each terminal acknowledges: the latency of its newest acknowledgement, and whether one is overdue. Acknowledging
 * a later command also acknowledges the earlier ones, because an acknowledgement covers all versions up to its own.
 */
function answersOf(
  commands: readonly LoggedCommand[],
  seenAt: ReadonlyMap<string, number>,
  now: number,
): ReadonlyMap<string, Answer> {
  const answers = new Map<string, Answer>();
  for (const { commandId, affected, acknowledgements } of commands.slice(0, COMMANDS_LOOKED_AT)) {
    for (const { termId, latency, failed } of acknowledgements) {
      if (termId === ENGINE_ACK) continue;
      const answer = answers.get(termId);
      if (answer === undefined) answers.set(termId, { latency, failed, late: false });
      else if (answer.latency === null) answers.set(termId, { ...answer, latency, failed });
    }
    const isOverdue = now - (seenAt.get(commandId) ?? now) > LATE_AFTER;
    if (!isOverdue) continue;
    for (const termId of affected) if (!answers.has(termId)) answers.set(termId, { ...NO_ANSWER, late: true });
  }
  return answers;
}

function isSame(a: TerminalRow, b: TerminalRow): boolean {
  return (Object.keys(b) as (keyof TerminalRow)[]).every((key) => a[key] === b[key]);
}
