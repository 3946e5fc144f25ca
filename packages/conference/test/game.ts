import {
  applyCommand,
  bannerOf,
  CHAT_AUDIENCES,
  CHOSEN_MODES,
  controlChanges,
  controlOrder,
  DEFAULT_POLLING,
  nameableSeats,
  nextTurn,
  NO_CONTROL,
  RECORD_ACTIONS,
  RECORD_TROUBLES,
  SCREEN_MODELS,
  SHARE_AUDIENCES,
  UNDOABLE,
  WINDOW_POSITIONS,
  type BannerInput,
  type ConferenceCommand,
  type ConferenceControl,
  type ControlChange,
  type ScreenLayout,
  type ScreenSeat,
} from '../src/index.ts';

type Arrive = Extract<ConferenceCommand, { verb: 'arrive' }>;
export const arrive = (
  termId: string,
  role: Arrive['role'] = 'member',
  previousTermId: string | null = null,
): Arrive => ({
  verb: 'arrive',
  termId,
  name: termId,
  role,
  previousTermId,
});
export const depart = (...termIds: string[]): ConferenceCommand => ({ verb: 'depart', termIds });
export const mute = (muted: boolean, ...termIds: string[]): ConferenceCommand => ({ verb: 'mute', termIds, muted });

export const play = (commands: readonly ConferenceCommand[], from = NO_CONTROL): ConferenceControl =>
  commands.reduce(applyCommand, from);
export const AN_ID = '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13';
/** The control after later commands and the undo of an earlier one. */
export function undone(
  before: ConferenceControl,
  command: ConferenceCommand,
  ...since: ConferenceCommand[]
): ConferenceControl {
  const after = applyCommand(before, command);
  return applyCommand(play(since, after), { verb: 'undo', commandId: AN_ID, changes: controlChanges(before, after) });
}
export const settingsOf = (control: ConferenceControl) => ({ ...control, version: 0 });
/** As it is read back from storage. */
const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Chair, alice, bob and carol are present, in this order; the chair is the host. */
export const four = play([arrive('chair', 'host'), arrive('alice'), arrive('bob'), arrive('carol', 'guest')]);

/** A moment this many seconds into the tests. */
export const moment = (seconds: number): string => new Date(Date.UTC(2026, 10, 20, 9) + seconds * 1_000).toISOString();
export const polls = (
  settings: Partial<typeof DEFAULT_POLLING> = {},
  lectureId: string | null = null,
  seconds = 0,
): ConferenceCommand => ({
  verb: 'polling',
  settings: { ...DEFAULT_POLLING, ...settings },
  lectureId,
  at: moment(seconds),
});
export const pollsNot: ConferenceCommand = { verb: 'polling', settings: null, lectureId: null, at: moment(0) };
export const turnOf = (termId: string | null, next: string | null, seconds = 0): ConferenceCommand => ({
  verb: 'pollingTurn',
  termId,
  next,
  at: moment(seconds),
  switchAt: next === null ? null : moment(seconds + 10),
});
export const speaks = (termId: string | null): ConferenceCommand => ({ verb: 'speaker', termId });
export const laidOut = (
  model: ScreenLayout['model'],
  pollingSeat?: number | null,
): Extract<ConferenceCommand, { verb: 'layout' }> => ({
  verb: 'layout',
  model,
  places: [],
  ...(pollingSeat === undefined ? {} : { pollingSeat }),
});
export const seated = (seats: readonly ScreenSeat[], termId: string | null = null): ConferenceCommand => ({
  verb: 'seats',
  termId,
  seats: [...seats],
});

/** Captions with the initial values of the form. */
export const CAPTION: BannerInput = {
  text: '',
  position: 'BOTTOM',
  size: 'MEDIUM',
  scroll: 'NONE',
  language: 'en',
  seconds: 0,
};

/** Pseudo-random numbers, the same in each run (mulberry32). */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const PEOPLE = ['chair', 'alice', 'bob', 'carol', 'dave', 'erin'];
export interface Played {
  command: ConferenceCommand;
  changes: ControlChange[];
}

/** Commands that a server would accept, including arrivals and departures. */
export function randomGame(seed: number, length: number): { control: ConferenceControl; log: Played[] } {
  const random = numbers(seed);
  const oneOf = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const coin = (): boolean => random(2) === 0;
  let control = NO_CONTROL;
  let made = 0;
  const log: Played[] = [];
  const places = Array.from({ length: 4 }, (_, at) => ({ x: at / 4, y: 0, width: 0.25, height: 0.5 }));
  const seats = (): ScreenSeat[] =>
    Array.from({ length: random(5) }, () => ({
      seat: random(10) + 1,
      source: oneOf(['POLL', 'SPEAKER', 'CONTENT', ...Object.keys(control.terminals)]),
    }));
  const layout = (): ScreenLayout => {
    const model = oneOf(SCREEN_MODELS);
    return { model, places: model === 'CUSTOM' ? places : [], seats: seats() };
  };

  const ofPeople = (termId: string, termIds: string[]): ConferenceCommand =>
    oneOf<() => ConferenceCommand>([
      () => depart(termId),
      () => ({ verb: 'remove', termIds: [termId], canReturn: coin() }),
      () => ({ verb: 'sendBack', termIds: [termId] }),
      () => mute(coin(), ...termIds),
      () => ({ verb: 'muteAll', muted: coin(), except: termIds, allowSelfUnmute: oneOf([true, false, null]) }),
      () => ({ verb: 'askUnmute', termIds }),
      () => ({ verb: 'camera', termIds, open: coin() }),
      () => ({ verb: 'volume', termId, volume: random(101) }),
      () => ({ verb: 'entry', muteOnEntry: coin(), waitingRoom: coin() }),
      () => ({
        verb: 'allow',
        shareFor: oneOf(SHARE_AUDIENCES),
        chatFor: oneOf(CHAT_AUDIENCES),
        reactions: coin(),
        selfRename: coin(),
        chatFiles: coin(),
      }),
      () => ({ verb: 'chairman', termId: coin() ? termId : null }),
      () => ({ verb: 'coChairs', termIds, appoint: coin() }),
      () => speaks(coin() ? termId : null),
      () => ({ verb: 'mode', mode: oneOf(CHOSEN_MODES), termId }),
      () => ({ verb: 'lock', locked: coin() }),
      () => ({ verb: 'end' }),
      () => ({ verb: 'selfUnmute', termId }),
      () => ({ verb: 'rename', termId, name: `${termId}!` }),
      () => ({ verb: 'limitVideo', termIds, maxHeight: 360 }),
      () => ({ verb: 'top', termId, top: coin() }),
      () => ({ verb: 'sort', termIds }),
      () => ({ verb: 'grant', userIds: [], granted: coin(), roles: { [termId]: oneOf(['host', 'member'] as const) } }),
    ])();

  const ofScreens = (termId: string): ConferenceCommand =>
    oneOf<() => ConferenceCommand>([
      () => {
        const { model, places: own } = layout();
        const most = nameableSeats({ model, places: own });
        return {
          verb: 'layout',
          model,
          places: own,
          pollingSeat: oneOf([undefined, null, most > 0 ? random(most) + 1 : null]),
          allowOwnLayout: coin(),
        };
      },
      () => seated(seats(), coin() ? termId : null),
      () => ({ verb: 'terminalLayout', termId, layout: coin() ? layout() : null }),
      () => ({ verb: 'window', position: oneOf([...WINDOW_POSITIONS, null]) }),
      () => ({ verb: 'contentLock', termId: coin() ? termId : null }),
      () => ({ verb: 'dualStream', termId, open: coin() }),
      () => ({
        verb: 'banner',
        termId: coin() ? termId : null,
        banner: bannerOf(
          { ...CAPTION, text: oneOf(['', 'one\ntwo']), seconds: oneOf([0, 60]) },
          new Date(moment(log.length)),
        ),
      }),
      () => ({
        verb: 'scene',
        sceneId: AN_ID,
        name: 'Opening',
        settings: {
          layout: layout(),
          window: 'LEFT',
          mode: oneOf(CHOSEN_MODES),
          speakerId: termId,
          muted: Object.fromEntries(Object.keys(control.terminals).map((id) => [id, coin()])),
          locked: coin(),
          contentLockId: null,
          banner: null,
        },
      }),
    ])();

  const ofProceedings = (termId: string, termIds: string[]): ConferenceCommand =>
    oneOf<() => ConferenceCommand>([
      () =>
        polls(
          { termIds: coin() ? termIds : [], seconds: 3 + random(20), isPaused: coin() },
          oneOf([null, null, termId]),
          log.length,
        ),
      () => pollsNot,
      () => ({ verb: 'broadcastPolling', on: coin() }),
      () => ({ verb: 'pollingTime', seconds: 3 + random(20) }),
      () => {
        const order = controlOrder(control);
        const turn = nextTurn(order, coin, control.polling?.turn?.termId ?? null);
        return turnOf(turn, nextTurn(order, coin, turn), log.length);
      },
      () => ({ verb: 'giveFloor', termId, seconds: oneOf([null, 60]), at: moment(log.length) }),
      () => ({ verb: 'lowerHands', termIds }),
      () => ({ verb: 'timer', termId: oneOf([termId, null]), seconds: 60, at: moment(log.length) }),
      () => ({ verb: 'timerStop' }),
      () => ({
        verb: 'timerChange',
        action: oneOf(['pause', 'resume', 'add'] as const),
        seconds: 30,
        at: moment(log.length),
      }),
      () => ({
        verb: 'rollCall',
        entries: Object.entries(control.terminals).map(([id, { name }]) => ({ termId: id, name })),
        at: moment(log.length),
      }),
      () => ({ verb: 'callUp', termId: oneOf([null, ...Object.keys(control.terminals)]) }),
      () => ({
        verb: 'rollMark',
        termId: control.rollCall?.currentId ?? termId,
        mark: oneOf(['present', 'absent', null] as const),
      }),
      () => ({ verb: 'rollCallEnd', at: moment(log.length) }),
      () => ({
        verb: 'vote',
        id: AN_ID,
        question: 'Shall we?',
        options: ['Yes', 'No'],
        isSecret: coin(),
        at: moment(log.length),
      }),
      () => ({ verb: 'voteCount', id: AN_ID, cast: random(9) }),
      () => ({ verb: 'voteClose', counts: [random(9), random(9)], at: moment(log.length) }),
      () => ({ verb: 'voteDismiss' }),
      () => ({
        verb: 'record',
        action: oneOf(RECORD_ACTIONS),
        recordingId: control.recording?.id ?? AN_ID,
        at: moment(log.length),
      }),
      () => ({
        verb: 'recordStatus',
        recordingId: AN_ID,
        status: oneOf(['RECORDING', 'PAUSED', 'FAILED'] as const),
        trouble: oneOf([null, ...RECORD_TROUBLES]),
        isSpaceLow: coin(),
      }),
      () => ({
        verb: 'broadcast',
        broadcast: coin()
          ? null
          : { id: AN_ID, status: oneOf(['onAir', 'paused'] as const), startedAt: moment(log.length) },
      }),
    ])();

  const next = (): ConferenceCommand | undefined => {
    const inside = Object.keys(control.terminals).filter((id) => control.terminals[id]?.present);
    const outside = Object.keys(control.terminals).filter((id) => !control.terminals[id]?.present);
    if (inside.length === 0 || random(8) === 0) {
      if (outside.length > 0 && coin()) return arrive(oneOf(outside), oneOf(['host', 'member', 'guest'] as const));
      made += 1;
      return arrive(
        `${oneOf(PEOPLE)}${made}`,
        oneOf(['host', 'member', 'guest'] as const),
        outside.length > 0 && coin() ? oneOf(outside) : null,
      );
    }
    const termId = oneOf(inside);
    const termIds = inside.filter(coin);
    switch (random(7)) {
      case 0:
      case 1:
        return ofPeople(termId, termIds);
      case 2:
      case 3:
        return ofScreens(termId);
      case 4:
      case 5:
        return ofProceedings(termId, termIds);
      default: {
        const taken = oneOf(log);
        return UNDOABLE.includes(taken.command.verb)
          ? { verb: 'undo', commandId: AN_ID, changes: taken.changes }
          : undefined;
      }
    }
  };
  while (log.length < length) {
    const command = next();
    if (!command) continue;
    const after = applyCommand(control, command);
    log.push(stored({ command, changes: controlChanges(control, after) }));
    control = after;
  }
  return { control, log };
}
