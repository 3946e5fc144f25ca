import { NO_CONTROL, applyCommand, controlChanges, type ConferenceCommand } from '@rmeet/conference';
import type { ControlStep, DeskState, DeskTerminal, MediaStream, TerminalReport } from '@rmeet/contract';

export const MEET_ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d11';
const AT = '2026-11-20T09:00:00.000Z';

export function terminal(termId: string, over: Partial<DeskTerminal> = {}): DeskTerminal {
  return {
    termId,
    name: termId,
    role: 'member',
    deviceType: 5,
    userId: null,
    account: null,
    department: '',
    invited: true,
    joinedAt: AT,
    handRaisedAt: null,
    cannot: {},
    ...over,
  };
}

let commands = 0;

/** The step that a command causes in a state, as the server pushes it. */
export function step(
  { control }: Pick<DeskState, 'control'>,
  command: ConferenceCommand,
  affected: readonly string[] = [],
): ControlStep {
  const after = applyCommand(control, command);
  const commandId = `0198f6a2-0000-7000-8000-${String(++commands).padStart(12, '0')}`;
  return {
    commandId,
    version: after.version,
    verb: command.verb,
    by: { kind: 'user', name: 'chair', termId: null },
    at: AT,
    changes: controlChanges(control, after),
    affected: [...affected],
  };
}

/** A desk with these terminals inside; the first one is host and chair. */
export function deskOf(...terminals: readonly DeskTerminal[]): DeskState {
  let control = NO_CONTROL;
  for (const [at, { termId, name }] of terminals.entries())
    control = applyCommand(control, {
      verb: 'arrive',
      termId,
      name,
      role: at === 0 ? 'host' : 'member',
      previousTermId: null,
    });
  return {
    desk: true,
    meetId: MEET_ID,
    conferenceId: MEET_ID,
    subject: 'Ward round',
    numericId: '482913057',
    host: 'chair',
    startedAt: AT,
    bookedUntil: '2026-11-20T10:00:00.000Z',
    endsAt: null,
    engine: 'rz',
    cannot: {},
    can: [],
    control,
    terminals: [...terminals],
    waiting: [],
    invitees: [],
    scenes: [],
    commands: [],
  };
}

export function stream(over: Partial<MediaStream> = {}): MediaStream {
  return {
    direction: 'up',
    source: 'camera',
    peer: null,
    end: 'terminal',
    codec: 'VP8',
    width: 1280,
    height: 720,
    frames: 30,
    bitrate: 1_500_000,
    loss: 0,
    jitter: 5,
    roundTrip: 20,
    layers: [180, 360, 720].map((height) => ({
      rid: String(height),
      width: height,
      height,
      frames: 30,
      bitrate: 500_000,
      active: true,
    })),
    ...over,
  };
}

export function report(over: Partial<TerminalReport> = {}): TerminalReport {
  return {
    quality: 'good',
    estimateUp: 3_000_000,
    estimateDown: 8_000_000,
    roundTrip: 20,
    limitedBy: 'none',
    speaking: false,
    streams: [stream()],
    ...over,
  };
}
