import type { ConferenceControl, TerminalControl } from '@rmeet/conference';
import {
  MEDIA_SOURCES,
  type MediaParticipant,
  type MediaPermission,
  type MediaSource,
  type MediaTrack,
  type ParticipantChange,
} from '../../../platform/media/index.ts';

const SOUND: ReadonlySet<MediaSource | 'unknown'> = new Set(['microphone', 'screenShareAudio']);
const NOTHING: MediaPermission = { canPublish: false, canPublishSources: [] };

type Holds = Pick<TerminalControl, 'muted' | 'cameraOff' | 'contentOff'>;
const CONTENT: ReadonlySet<MediaSource | 'unknown'> = new Set(['screenShare', 'screenShareAudio']);
const UNHELD: Holds = { muted: false, cameraOff: false, contentOff: false };

/** How a terminal is held; content is where it is locked to another one, too. */
export function holdsOf(
  { terminals, contentLockId }: Pick<ConferenceControl, 'terminals' | 'contentLockId'>,
  termId: string,
): Holds {
  const { muted, cameraOff, contentOff } = terminals[termId] ?? UNHELD;
  return { muted, cameraOff, contentOff: contentOff || (contentLockId !== null && contentLockId !== termId) };
}

/** What a terminal may send as it is held now. Muted means no sound at all, that of a shared screen included. */
export function desiredPermission({ muted, cameraOff, contentOff }: Holds): MediaPermission {
  const canPublishSources = MEDIA_SOURCES.filter(
    (source) =>
      !(muted && SOUND.has(source)) && !(cameraOff && source === 'camera') && !(contentOff && CONTENT.has(source)),
  );
  return { canPublish: canPublishSources.length > 0, canPublishSources };
}

/**
 * Whether a held terminal sends sound or pictures under the name of something else. The engine believes what a client
 * says of its track's source, so this is how a lying client gets around a permission.
 */
export function isDisguised({ muted, cameraOff, contentOff }: Holds, { kind, source }: MediaTrack): boolean {
  return kind === 'audio' ? muted && !SOUND.has(source) : (cameraOff || contentOff) && SOUND.has(source);
}

export function samePermission(a: MediaPermission, b: MediaPermission): boolean {
  const isSame =
    a.canPublishSources.length === b.canPublishSources.length &&
    a.canPublishSources.every((source) => b.canPublishSources.includes(source));
  return a.canPublish === b.canPublish && isSame;
}

/**
 * How the terminals on the engine differ from the control. Whoever the control does not know as present is passed over:
 * the reconciler removes strangers. Those who send something come first: with a hundred terminals the last waits a
 * while.
 *
 * @param liars terminals that were caught sending something disguised; while they are held they send nothing. Caught
 *   ones are added, freed ones taken off.
 */
export function mendsFor(
  control: Pick<ConferenceControl, 'terminals' | 'contentLockId'>,
  participants: readonly MediaParticipant[],
  liars: Set<string>,
): ParticipantChange[] {
  return participants
    .toSorted((a, b) => b.tracks.length - a.tracks.length)
    .flatMap(({ identity, name, permission, tracks }) => {
      const entry = control.terminals[identity];
      if (!entry?.present) return [];
      const holds = holdsOf(control, identity);
      if (!holds.muted && !holds.cameraOff && !holds.contentOff) liars.delete(identity);
      else if (tracks.some((track) => isDisguised(holds, track))) liars.add(identity);
      const desired = liars.has(identity) ? NOTHING : desiredPermission(holds);
      const mend: ParticipantChange = { identity };
      if (!samePermission(permission, desired)) mend.permission = desired;
      if (name !== entry.name) mend.name = entry.name;
      return mend.permission || mend.name !== undefined ? [mend] : [];
    });
}

/** What the engine tells every participant of the conference, plain LiveKit clients included: public facts alone. */
export function roomFacts({ mode, speakerId, polling, chairId, locked, version }: ConferenceControl): string {
  return JSON.stringify({ mode, speakerId, turnId: polling?.turn?.termId ?? null, chairId, locked, version });
}
