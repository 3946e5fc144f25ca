import type { ConferenceCommand, ConferenceControl, ControlChange } from '@rmeet/conference';

/** Fields of the conference that every terminal's screen follows. */
const FOR_ALL: ReadonlySet<string> = new Set([
  'mode',
  'speakerId',
  'layout',
  'allowOwnLayout',
  'window',
  'contentLockId',
  'banner',
  'polling',
  'timer',
  'rollCall',
  'vote',
  'generation',
]);
/** Commands about what all see: everybody confirms them even where they change nothing. */
const TO_ALL: ReadonlySet<ConferenceCommand['verb']> = new Set([
  'speaker',
  'mode',
  'layout',
  'window',
  'contentLock',
  'scene',
  'giveFloor',
]);
/** Fields of a terminal that it obeys itself. */
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

/** termIds a command names as those who are to do something; they confirm it even where they were so before. */
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
 * Who must obey a command and acknowledge it: the terminals inside that it names or changes, all of them where it is
 * about what all see, and all others where it is about how loud one of them is played. Whoever arrives begins with a
 * snapshot.
 */
export function concernedBy(
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
  const concerned = new Set(named(command, before));
  for (const { termId, field } of changes) {
    if (termId !== null && FOR_ITSELF.has(field)) concerned.add(termId);
    if (field === 'volume') for (const other of inside) if (other !== termId) concerned.add(other);
    if (field === 'chairId' && after.chairId !== null) concerned.add(after.chairId);
  }
  return inside.filter((termId) => concerned.has(termId));
}
