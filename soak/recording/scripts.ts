import { Stage, type Cast, type Role } from '../../packages/recorder/test/stage.ts';

/** A scripted meeting: who takes part, and what happens. */
export interface Meeting<Name extends string = string> {
  title: string;
  cast: Cast<Name>;
  quiet: readonly Name[];
  on: Name | null;
  perform: (stage: Stage<Name>) => Promise<void>;
  /** Whose picture and whose sound are saved as MP4 files, too. */
  saved: { picture: Name; sound: Name };
}

const CAMERA = { height: 720, bitrate: 800_000 } as const;
const LAYERS = { simulcast: true, bitrate: 150_000 } as const;

const PAIR = {
  chair: { colour: 'red', tone: 300, camera: LAYERS },
  bob: { colour: 'blue', tone: 700, camera: { special: 'clap', bitrate: 800_000 }, sound: 'clap' },
} as const satisfies Record<string, Role>;

/** What people meet first: two people with cameras talk, one after the other, and one of them shares. */
export const pair: Meeting<keyof typeof PAIR> = {
  title: 'two people',
  cast: PAIR,
  quiet: ['bob'],
  on: null,
  saved: { picture: 'bob', sound: 'bob' },
  perform: async (stage) => {
    await stage.at(6);
    await stage.handOver('chair', 'bob', 'blue');
    await stage.at(16);
    await stage.handOver('bob', 'chair', 'red');
    await stage.at(20);
    await stage.share('chair', 'magenta', 'magenta');
    await stage.at(26);
    await stage.handOver('chair', 'bob', 'magenta');
    await stage.at(30);
    await stage.stopSharing('chair', 'blue');
    await stage.at(38);
    await stage.ownCameras(['bob'], false, null);
    await stage.at(42);
    await stage.ownCameras(['bob'], true, 'blue');
    await stage.at(50);
  },
};

const GUEST = { colour: null, isGuest: true } as const;
const TEN = {
  chair: { colour: 'red', tone: 300, camera: LAYERS },
  alice: { colour: 'green', tone: 500, camera: LAYERS },
  bob: { colour: 'blue', tone: 700, camera: { special: 'clap', bitrate: 800_000 }, sound: 'clap' },
  carol: { colour: 'yellow', tone: 900, camera: { ...CAMERA, codec: 'vp8' } },
  dave: { colour: 'cyan', tone: 1_100, camera: { special: 'phone', bitrate: 800_000 }, isGuest: true },
  erin: { ...GUEST, tone: 1_300 },
  frank: { ...GUEST, tone: 1_500 },
  grace: { ...GUEST, tone: 1_700 },
  heidi: { ...GUEST, tone: 1_900 },
  ivan: { ...GUEST, tone: 2_100 },
} as const satisfies Record<string, Role>;
type Ten = keyof typeof TEN;

/** Each on air by name: layers, one layer, a phone, VP8 and no camera; then layouts and mutes. */
async function speakers(stage: Stage<Ten>): Promise<void> {
  for (const [second, name] of [
    [4, 'alice'],
    [8, 'bob'],
    [13, 'dave'],
    [17, 'carol'],
    [21, 'erin'],
    [24, 'bob'],
  ] as const) {
    await stage.at(second);
    await stage.speaker(name);
  }
  await stage.at(28);
  await stage.layout('4');
  await stage.at(30);
  await stage.mute('alice');
  await stage.at(32);
  await stage.layout('AUTO');
  await stage.at(34);
  await stage.mute('chair', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi', 'ivan');
  await stage.at(37);
  await stage.nobodyNamed('blue');
  await stage.at(41);
  await stage.passFloor('bob', 'alice', 'green');
}

/** Two share, with and without a lock, and a named speaker above them; then three take turns. */
async function sharesAndTurns(stage: Stage<Ten>): Promise<void> {
  await stage.at(47);
  await stage.share('alice', 'magenta', 'magenta');
  await stage.at(52);
  await stage.speaker('dave');
  await stage.at(56);
  await stage.nobodyNamed('magenta');
  await stage.at(59);
  await stage.share('bob', 'yellow', 'yellow');
  await stage.at(63);
  await stage.lockContent('alice', 'magenta');
  await stage.at(67);
  await stage.lockContent(null, 'yellow');
  await stage.at(71);
  await stage.stopSharing('bob', 'magenta');
  await stage.at(74);
  await stage.poll(['chair', 'bob', 'dave'], 5);
  await stage.at(102);
  await stage.stopPolling('magenta');
  await stage.at(106);
  await stage.stopSharing('alice', 'green');
}

/** One drops and is back, one leaves and joins again; no camera is on; a pause; all speak. */
async function comingAndGoing(stage: Stage<Ten>): Promise<void> {
  await stage.at(110);
  await stage.speaker('bob');
  await stage.at(113);
  await stage.drop('alice', 'blue');
  await stage.at(120);
  await stage.comeBack('alice');
  await stage.at(124);
  await stage.speaker('alice');
  await stage.at(127);
  await stage.unmute('bob');
  await stage.mute('alice');
  await stage.at(130);
  await stage.speaker('dave');
  await stage.at(133);
  await stage.leave('dave', 'blue');
  await stage.at(136);
  await stage.returns('dave');
  await stage.at(138);
  await stage.speaker('dave');
  await stage.at(142);
  await stage.ownCameras(['chair', 'alice', 'bob', 'carol', 'dave'], false, null);
  await stage.at(146);
  await stage.speaker('alice');
  await stage.at(151);
  await stage.ownCameras(['chair', 'alice', 'bob', 'carol', 'dave'], true, 'green');
  await stage.at(155);
  await stage.pause();
  await stage.at(160);
  await stage.resume();
  await stage.at(163);
  await stage.layout('1+N');
  await stage.at(165);
  await stage.speaker('bob');
  for (const name of ['chair', 'alice', 'carol', 'erin', 'frank', 'grace', 'heidi', 'ivan'] as const)
    await stage.unmute(name);
  await stage.at(171);
  await stage.layout('AUTO');
  await stage.camera('bob', false, null);
  await stage.at(174);
  await stage.speaker('chair');
  await stage.at(180);
}

/** Three minutes of ten people. */
export const ten: Meeting<Ten> = {
  title: 'ten people',
  cast: TEN,
  quiet: [],
  on: 'chair',
  saved: { picture: 'bob', sound: 'alice' },
  perform: async (stage) => {
    await speakers(stage);
    await sharesAndTurns(stage);
    await comingAndGoing(stage);
  },
};
