import { allowancesOf } from '../state/allowances.ts';
import type { ConferenceControl } from '../state/control.ts';
import { takeBack } from './changes.ts';
import type { Appliers, ConferenceCommand, ConferenceVerb } from './command.ts';
import { onAir, withMode } from './on-air.ts';
import { pollingAppliers } from './polling.ts';
import { arrive, depart, withRoles } from './presence.ts';
import { proceedingAppliers } from './proceedings.ts';
import { recordingAppliers } from './recording.ts';
import { screenAppliers } from './screen.ts';
import { withMuted, withTerminals } from './terminals.ts';

const unchanged = (control: ConferenceControl): ConferenceControl => control;

/** Who is in the conference, and what each person may do there. */
const peopleAppliers: Appliers<
  | 'arrive'
  | 'depart'
  | 'remove'
  | 'sendBack'
  | 'admit'
  | 'refuse'
  | 'call'
  | 'cancelCall'
  | 'invite'
  | 'grant'
  | 'chairman'
  | 'coChairs'
  | 'entry'
> = {
  arrive,
  depart: (control, { termIds }) => depart(control, termIds),
  remove: (control, { termIds }) => depart(control, termIds),
  sendBack: (control, { termIds }) => depart(control, termIds),
  admit: unchanged,
  refuse: unchanged,
  call: unchanged,
  cancelCall: unchanged,
  invite: unchanged,
  grant: (control, { roles }) => withRoles(control, roles),
  chairman: (control, { termId }) => ({
    ...control,
    chairId: termId,
    coChairIds: control.coChairIds.filter((id) => id !== termId),
  }),
  coChairs(control, { termIds, appoint }) {
    const others = control.coChairIds.filter((id) => !termIds.includes(id));
    const appointed = appoint ? termIds.filter((id) => id !== control.chairId) : [];
    return { ...control, coChairIds: [...others, ...appointed] };
  },
  entry: (
    control,
    { muteOnEntry = control.muteOnEntry, allowSelfUnmute = control.allowSelfUnmute, waitingRoom = control.waitingRoom },
  ) => ({ ...control, muteOnEntry, allowSelfUnmute, waitingRoom }),
};

/** Microphones, cameras, volume, and who is on air. */
const mediaAppliers: Appliers<
  'mute' | 'muteAll' | 'askUnmute' | 'selfUnmute' | 'camera' | 'volume' | 'limitVideo' | 'speaker' | 'mode'
> = {
  mute: (control, { termIds, muted }) => withMuted(control, termIds, muted),
  muteAll(control, { except, muted, allowSelfUnmute }) {
    const termIds = Object.keys(control.terminals).filter((termId) => !except.includes(termId));
    const next = withMuted(control, termIds, muted);
    if (!muted) return { ...next, muteOnEntry: false };
    // A terminal that may not unmute itself must not become unmuted by rejoining.
    return allowSelfUnmute === null ? next : { ...next, allowSelfUnmute, muteOnEntry: !allowSelfUnmute };
  },
  askUnmute: (control, { termIds }) => withTerminals(control, termIds, { unmuteAsked: true }),
  selfUnmute: (control, { termId }) => withMuted(control, [termId], false),
  camera: (control, { termIds, open }) => withTerminals(control, termIds, { cameraOff: !open }),
  volume: (control, { termId, volume }) => withTerminals(control, [termId], { volume }),
  limitVideo: (control, { termIds, maxHeight }) => withTerminals(control, termIds, { maxHeight }),
  speaker: (control, { termId }) => onAir(control, termId),
  mode: (control, { mode, termId }) => withMode(control, mode, mode === 'SPEAKER' ? termId : null),
};

/** For each verb, the control state after it. */
const appliers: Appliers<ConferenceVerb> = {
  ...peopleAppliers,
  ...mediaAppliers,
  ...screenAppliers,
  ...pollingAppliers,
  ...proceedingAppliers,
  ...recordingAppliers,
  allow: (
    control,
    {
      shareFor = control.shareFor,
      chatFor = control.chatFor,
      reactions = control.reactions,
      selfRename = control.selfRename,
      chatFiles = control.chatFiles,
    },
  ) => ({ ...control, ...allowancesOf({ shareFor, chatFor, reactions, selfRename, chatFiles }) }),
  lock: (control, { locked }) => ({ ...control, locked }),
  rename: (control, { termId, name }) => withTerminals(control, [termId], { name }),
  top: (control, { termId, top }) => withTerminals(control, [termId], { top }),
  sort: (control, { termIds }) => ({ ...control, order: termIds }),
  moveZone: (control) => ({ ...control, generation: control.generation + 1 }),
  reset: (control) => ({ ...control, generation: control.generation + 1 }),
  extend: unchanged,
  end: unchanged,
  undo: (control, { changes }) => takeBack(control, changes),
};

/** The control state after a command. Verbs that change only presence or the meeting leave it unchanged. */
export function applyCommand(control: ConferenceControl, command: ConferenceCommand): ConferenceControl {
  const apply = appliers[command.verb] as (control: ConferenceControl, command: ConferenceCommand) => ConferenceControl;
  return { ...apply(control, command), version: control.version + 1 };
}
