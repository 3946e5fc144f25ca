import { shareBarrier, type ConferenceControl, type TerminalControl } from '@rmeet/conference';
import {
  MEDIA_SOURCES,
  type MediaParticipant,
  type MediaPermission,
  type MediaSource,
  type MediaTrack,
  type ParticipantChange,
} from '../../../platform/media/index.ts';

const AUDIO: ReadonlySet<MediaSource | 'unknown'> = new Set(['microphone', 'screenShareAudio']);
const CONTENT: ReadonlySet<MediaSource | 'unknown'> = new Set(['screenShare', 'screenShareAudio']);
const NOTHING: MediaPermission = { canPublish: false, canPublishSources: [] };

type Holds = Pick<TerminalControl, 'muted' | 'cameraOff' | 'contentOff'>;
type SharingControl = Pick<ConferenceControl, 'terminals' | 'contentLockId' | 'chairId' | 'coChairIds' | 'shareFor'>;
const NO_HOLDS: Holds = { muted: false, cameraOff: false, contentOff: false };

/** The holds on a terminal. Content is also held while only another terminal, or only hosts may share. */
export function holdsOf(control: SharingControl, termId: string): Holds {
  const { muted, cameraOff, contentOff } = control.terminals[termId] ?? NO_HOLDS;
  return { muted, cameraOff, contentOff: contentOff || shareBarrier(control, termId) !== null };
}

/** What a terminal may publish under these holds. Muted means no audio at all, including that of a shared screen. */
export function desiredPermission({ muted, cameraOff, contentOff }: Holds): MediaPermission {
  const canPublishSources = MEDIA_SOURCES.filter(
    (source) =>
      !(muted && AUDIO.has(source)) && !(cameraOff && source === 'camera') && !(contentOff && CONTENT.has(source)),
  );
  return { canPublish: canPublishSources.length > 0, canPublishSources };
}

/**
 * Whether a terminal under a hold publishes audio or video as another source. The engine trusts the source that a
 * client declares for its track, so a modified client can get around a permission this way.
 */
export function isSpoofed({ muted, cameraOff, contentOff }: Holds, { kind, source }: MediaTrack): boolean {
  return kind === 'audio' ? muted && !AUDIO.has(source) : (cameraOff || contentOff) && AUDIO.has(source);
}

export function samePermission(a: MediaPermission, b: MediaPermission): boolean {
  const isSame =
    a.canPublishSources.length === b.canPublishSources.length &&
    a.canPublishSources.every((source) => b.canPublishSources.includes(source));
  return a.canPublish === b.canPublish && isSame;
}

/**
 * The changes that bring the participants on the engine in line with the control state. Participants who are not
 * present in the state are skipped: the reconciler removes them. Participants with tracks come first, because with a
 * hundred terminals the last change takes a while.
 *
 * @param spoofers identities of terminals that published a spoofed track; they may publish nothing while a hold
 *   applies. This function adds those it detects and removes those without a hold.
 */
export function diffPermissions(
  control: SharingControl,
  participants: readonly MediaParticipant[],
  spoofers: Set<string>,
): ParticipantChange[] {
  return participants
    .toSorted((a, b) => b.tracks.length - a.tracks.length)
    .flatMap(({ identity, name, permission, tracks }) => {
      const entry = control.terminals[identity];
      if (!entry?.present) return [];
      const holds = holdsOf(control, identity);
      if (!holds.muted && !holds.cameraOff && !holds.contentOff) spoofers.delete(identity);
      else if (tracks.some((track) => isSpoofed(holds, track))) spoofers.add(identity);
      const desired = spoofers.has(identity) ? NOTHING : desiredPermission(holds);
      const change: ParticipantChange = { identity };
      if (!samePermission(permission, desired)) change.permission = desired;
      if (name !== entry.name) change.name = entry.name;
      return change.permission || change.name !== undefined ? [change] : [];
    });
}

/** The public part of the state, which the engine sends to all participants, including plain LiveKit clients. */
export function roomMetadata({ mode, speakerId, polling, chairId, locked, version }: ConferenceControl): string {
  return JSON.stringify({ mode, speakerId, turnId: polling?.turn?.termId ?? null, chairId, locked, version });
}
