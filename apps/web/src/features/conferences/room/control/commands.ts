import type { ConferenceMode } from '@rmeet/conference';
import type { Client, CommandAnswer, contract } from '@rmeet/contract';

type Api = Client<typeof contract.conferences>;

/** The commands of a chair to one conference, by what a person means. Failures are thrown as ApiError. */
export function commandsOf(api: Api, meetId: string) {
  const params = { res: 'rz' };
  return {
    mute: (termIds: string[], mute: boolean) => api.termMute({ params, body: { meetId, termIds, mute } }),
    muteAll: (except: string[]) => api.muteAll({ params, body: { meetId, except } }),
    unmuteAll: () => api.unMuteAll({ params, body: { meetId } }),
    askUnmute: (termIds: string[]) => api.askUnmute({ params: { meetId }, body: { termIds } }),
    camera: (termIds: string[], open: boolean) => api.screenVideo({ params, body: { meetId, termIds, open } }),
    /** Null takes the speaker off the air. */
    speaker: (termId: string | null) => api.setConfSpeaker({ params, query: { meetId, termId: termId ?? '' } }),
    mode: (mode: ConferenceMode, termId?: string) =>
      api.setConfMode({ params, query: { meetId, videoSet: mode, ...(termId === undefined ? {} : { termId }) } }),
    chairman: (termId: string) => api.setConfChairman({ params, query: { meetId, termId } }),
    coChairs: (termIds: string[], appoint: boolean) => api.coChairs({ params: { meetId }, body: { termIds, appoint } }),
    lock: (locked: boolean) => api.setConfLock({ params, query: { meetId, conflock: locked ? '1' : '0' } }),
    entry: (body: { muteOnEntry?: boolean; allowSelfUnmute?: boolean; waitingRoom?: boolean }) =>
      api.entry({ params: { meetId }, body }),
    rename: (termId: string, termName: string) =>
      api.updateTermialName({ params, query: { meetId, termId, termName } }),
    top: (termId: string, top: boolean) => api.termTop({ query: { meetId, termId, flag: top ? '1' : '0' } }),
    sendBack: (termIds: string[]) => api.sendBack({ params: { meetId }, body: { termIds } }),
    remove: (termIds: string[], canReturn: boolean) =>
      api.delTermBatch({ params: { ...params, id: meetId }, query: { termIds, canReturn: String(canReturn) } }),
    admit: (termIds: string[]) => api.admit({ params: { meetId }, body: { termIds, admit: true } }),
    refuse: (termIds: string[], reason: string) =>
      api.admit({ params: { meetId }, body: { termIds, admit: false, reason } }),
    undo: (commandId: string) => api.undo({ params: { meetId }, body: { commandId } }),
  } satisfies Record<string, (...input: never[]) => Promise<CommandAnswer | null>>;
}

export type Commands = ReturnType<typeof commandsOf>;
