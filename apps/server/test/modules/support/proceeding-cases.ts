import { byRight, engineFollowed, meetId, named, type CallArgs, type Case, type Setting } from './case-setting.ts';

const rz = { res: 'rz' };

/** The calls of what is shown, of turns and of proceedings. */
export function proceedingCases(): Record<string, Case> {
  const control = { expected: byRight('control') };
  const asked =
    (more: object = {}) =>
    (setting: Setting): CallArgs => ({ params: rz, query: { ...meetId(setting), ...more } });
  const told =
    (more: object = {}) =>
    (setting: Setting): CallArgs => ({ params: rz, body: { ...meetId(setting), ...more } });
  const guest = ({ world }: Setting) => ({ termId: world.guestTermId });
  const onConference =
    (body?: (setting: Setting) => object) =>
    (setting: Setting): CallArgs => ({ params: meetId(setting), ...(body ? { body: body(setting) } : {}) });
  const hostOf = ({ cast }: Setting) => cast.host.conferences;

  /** A running round: no terminal in the world has a camera on. */
  async function polls(setting: Setting): Promise<void> {
    await engineFollowed(
      setting,
      await hostOf(setting).setPollingState({
        params: rz,
        query: { ...meetId(setting), polling: '1' },
        body: { onlyVideo: false, isPaused: true },
      }),
    );
  }
  /** An open vote, the only one. */
  async function votes(setting: Setting): Promise<string> {
    const {
      control: { vote },
    } = await hostOf(setting).state({ params: meetId(setting) });
    if (vote && vote.closedAt === null) return vote.id;
    await hostOf(setting).openVote({
      params: meetId(setting),
      body: { question: 'Shall we?', options: ['Yes', 'No'], isSecret: false },
    });
    return votes(setting);
  }
  async function closed(setting: Setting): Promise<string> {
    const id = await votes(setting);
    await hostOf(setting).closeVote({ params: meetId(setting) });
    return id;
  }
  const newScene = (setting: Setting) =>
    hostOf(setting).saveScene({ params: meetId(setting), body: { name: named('Scene') } });
  const onScene = async (setting: Setting, body?: object): Promise<CallArgs> => ({
    params: { ...meetId(setting), sceneId: (await newScene(setting)).id },
    ...(body ? { body } : {}),
  });
  const timed = async (setting: Setting): Promise<void> => {
    await hostOf(setting).startTimer({ params: meetId(setting), body: { seconds: 60 } });
  };
  const called = async (setting: Setting): Promise<void> => {
    await engineFollowed(setting, await hostOf(setting).startRollCall({ params: meetId(setting), body: {} }));
  };
  /** The call after a preparation. */
  const after =
    (prepare: (setting: Setting) => Promise<unknown>, args: (setting: Setting) => CallArgs) =>
    async (setting: Setting): Promise<CallArgs> => {
      await prepare(setting);
      return args(setting);
    };

  return {
    'conferences.setLayout': { ...control, args: told({ screenModel: '4' }) },
    'conferences.setScreen': {
      ...control,
      args: async (setting) => {
        await hostOf(setting).setLayout({ params: rz, body: { ...meetId(setting), screenModel: '4' } });
        return told({ seats: [{ seat: 1, source: setting.world.guestTermId }] })(setting);
      },
    },
    'conferences.setTerminalLayoutConfig': {
      ...control,
      args: (setting) => told({ ...guest(setting), screenModel: '2' })(setting),
    },
    'conferences.stopTerminalLayoutConfig': { ...control, args: (setting) => told(guest(setting))(setting) },
    'conferences.setChatLayout': { ...control, args: told({ position: 'LEFT' }) },
    'conferences.lockConfContent': { ...control, args: asked({ action: 'UNLOCK' }) },
    'conferences.setDualStream': {
      ...control,
      args: (setting) => ({ query: { ...meetId(setting), ...guest(setting), open: 'true' } }),
    },
    'conferences.readDualStream': {
      ...control,
      args: (setting) => ({ query: { ...meetId(setting), ...guest(setting), open: 'true' } }),
    },
    'conferences.setConfCaptions': {
      ...control,
      args: (setting) => ({ ...asked()(setting), body: { text: 'Welcome' } }),
    },
    'conferences.setTermCaptions': {
      ...control,
      args: (setting) => ({ ...asked(guest(setting))(setting), body: { text: 'Welcome' } }),
    },

    'conferences.setPollingState': {
      ...control,
      args: (setting) => ({ ...asked({ polling: '1' })(setting), body: { onlyVideo: false, isPaused: true } }),
    },
    'conferences.startBroadcastPolling': { ...control, args: after(polls, told({ pollingEnable: true })) },
    'conferences.setPollingTimeSpan': { ...control, args: after(polls, asked({ timespan: '30' })) },
    'conferences.turnPolling': {
      ...control,
      args: after(
        polls,
        onConference(() => ({ step: 'next' })),
      ),
    },

    'conferences.giveFloor': { ...control, args: onConference(guest) },
    'conferences.lowerHands': { ...control, args: onConference(({ world }) => ({ termIds: [world.guestTermId] })) },
    'conferences.startTimer': { ...control, args: onConference(() => ({ seconds: 60 })) },
    'conferences.changeTimer': {
      ...control,
      args: after(
        timed,
        onConference(() => ({ action: 'add', seconds: 30 })),
      ),
    },
    'conferences.stopTimer': { ...control, args: after(timed, onConference()) },
    'conferences.startRollCall': { ...control, args: onConference(() => ({})) },
    'conferences.markRollCall': {
      ...control,
      args: after(
        called,
        onConference((setting) => ({ ...guest(setting), mark: 'present' })),
      ),
    },
    'conferences.callUp': { ...control, args: after(called, onConference(guest)) },
    'conferences.endRollCall': { ...control, args: after(called, onConference()) },

    'conferences.openVote': {
      ...control,
      args: async (setting) => {
        await votes(setting);
        await hostOf(setting).dismissVote({ params: meetId(setting) });
        return onConference(() => ({ question: 'Shall we?', options: ['Yes', 'No'] }))(setting);
      },
    },
    'conferences.castBallot': {
      expected: byRight('vote'),
      ownWorld: true,
      args: async (setting) => ({ params: { ...meetId(setting), voteId: await votes(setting) }, body: { option: 0 } }),
    },
    'conferences.closeVote': { ...control, args: after(votes, onConference()) },
    'conferences.dismissVote': { ...control, args: after(votes, onConference()) },
    'conferences.ballots': {
      expected: byRight('see'),
      args: async (setting) => ({ params: { ...meetId(setting), voteId: await closed(setting) } }),
    },

    'conferences.scenes': { ...control, args: onConference() },
    'conferences.saveScene': { ...control, args: onConference(() => ({ name: named('Scene') })) },
    'conferences.changeScene': { ...control, args: (setting) => onScene(setting, { name: named('Renamed') }) },
    'conferences.deleteScene': { ...control, args: (setting) => onScene(setting) },
    'conferences.applyScene': { ...control, args: (setting) => onScene(setting) },
  };
}
