import type { ConferenceCommand, ConferenceControl, ControlChange } from '@rmeet/conference';

/** Conference fields that affect the screens of all terminals. */
const FOR_ALL: ReadonlySet<string> = new Set([
  'mode',
  'speakerId',
  'layout',
  'allowOwnLayout',
  'window',
  'contentLockId',
  'shareFor',
  'banner',
  'polling',
  'timer',
  'rollCall',
  'vote',
  'generation',
]);
/** Commands about what everybody sees: all terminals acknowledge them, even if they change nothing. */
const TO_ALL: ReadonlySet<ConferenceCommand['verb']> = new Set([
  'speaker',
  'mode',
  'layout',
  'window',
  'contentLock',
  'scene',
  'giveFloor',
]);
/** Terminal fields that the terminal itself applies. */
const FOR_ITSELF: ReadonlySet<string> = new Set([
  'muted',
  'unmuteAsked',
  'cameraOff',
  'maxHeight',
  'contentOff',
  'contentAsked',
  'layout',
  'banner',
]);

/** termIds that a command names; these terminals acknowledge it even if nothing changes for them. */
function named(command: ConferenceCommand, { chairId, terminals }: ConferenceControl): string[] {
  switch (command.verb) {
    case 'mute':
    case 'camera':
    case 'limitVideo':
    case 'askUnmute':
    case 'coChairs':
      return command.termIds;
    case 'muteAll':
      return Object.keys(terminals).filter((termId) => !command.except.includes(termId));
    case 'selfUnmute':
    case 'terminalLayout':
    case 'dualStream':
      return [command.termId];
    case 'seats':
    case 'banner':
      return command.termId === null ? Object.keys(terminals) : [command.termId];
    case 'chairman':
      return [chairId, command.termId].filter((termId) => termId !== null);
    default:
      return [];
  }
}

/**
 * Terminals that must apply a command and acknowledge it: those inside that it names or changes, all of them if it is
 * about what everybody sees, and all others if it changes how loud one of them is played. Terminals that arrive later
 * start with a snapshot.
 */
export function affectedTerminals(
  command: ConferenceCommand,
  before: ConferenceControl,
  after: ConferenceControl,
  changes: readonly ControlChange[],
): string[] {
  if (command.verb === 'arrive' || command.verb === 'voteCount') return [];
  const inside = Object.keys(after.terminals).filter((termId) => after.terminals[termId]?.present);
  const isForAll =
    TO_ALL.has(command.verb) || changes.some(({ termId, field }) => termId === null && FOR_ALL.has(field));
  if (isForAll) return inside;
  const affected = new Set(named(command, before));
  for (const { termId, field } of changes) {
    if (termId !== null && FOR_ITSELF.has(field)) affected.add(termId);
    if (field === 'volume') for (const other of inside) if (other !== termId) affected.add(other);
    if (field === 'chairId' && after.chairId !== null) affected.add(after.chairId);
  }
  return inside.filter((termId) => affected.has(termId));
}
