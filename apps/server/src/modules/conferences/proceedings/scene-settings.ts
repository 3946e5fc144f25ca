import type { ConferenceControl, SceneSettings } from '@rmeet/conference';
import type { SceneRow, TerminalRow } from '../tables.ts';

/**
 * Identifies a person in other conferences of the meeting: by the account, else by the browser's mark, else by this
 * terminal only.
 */
export function personOf({ termId, accountId, deviceMark }: TerminalRow): string {
  if (accountId !== null) return `U${accountId}`;
  return deviceMark === null ? termId : `D${deviceMark}`;
}

/** The current settings of a conference. */
export function settingsOf({
  layout,
  window,
  mode,
  speakerId,
  locked,
  contentLockId,
  banner,
  polling,
  terminals,
}: ConferenceControl): SceneSettings {
  const isChosen = mode !== 'POLLING' && mode !== 'LECTURE';
  const chosen = isChosen ? { mode, speakerId } : (polling?.resumes ?? { mode: 'AUTO' as const, speakerId: null });
  const muted = Object.fromEntries(
    Object.entries(terminals).flatMap(([termId, entry]) => (entry.present ? [[termId, entry.muted]] : [])),
  );
  return { layout, window, ...chosen, muted, locked, contentLockId, banner };
}

/** termIds that settings name. */
export function termIdsIn({ layout, speakerId, contentLockId, muted }: SceneSettings): string[] {
  return [
    ...new Set([
      ...layout.seats.map(({ source }) => source),
      speakerId ?? '',
      contentLockId ?? '',
      ...Object.keys(muted),
    ]),
  ].filter((termId) => termId !== '');
}

/**
 * The settings for the terminals inside now: people are found under their current termIds. Seats of absent people keep
 * their termId.
 */
export function resolved({ settings, people }: SceneRow, inside: readonly TerminalRow[], now: Date): SceneSettings {
  const byPerson = new Map(inside.toReversed().map((row) => [personOf(row), row.termId]));
  const here = new Set(inside.map(({ termId }) => termId));
  const found = (termId: string): string | undefined =>
    here.has(termId) ? termId : byPerson.get(people[termId] ?? '');
  const { layout, speakerId, contentLockId, muted, banner, ...rest } = settings;
  return {
    ...rest,
    layout: { ...layout, seats: layout.seats.map(({ seat, source }) => ({ seat, source: found(source) ?? source })) },
    speakerId: speakerId === null ? null : (found(speakerId) ?? null),
    contentLockId: contentLockId === null ? null : (found(contentLockId) ?? null),
    muted: Object.fromEntries(
      Object.entries(muted).flatMap(([termId, held]) =>
        [found(termId)].flatMap((id) => (id === undefined ? [] : [[id, held] as const])),
      ),
    ),
    // Its time starts again.
    banner: banner && {
      ...banner,
      since: now.toISOString(),
      until:
        banner.until === null
          ? null
          : new Date(now.getTime() + Date.parse(banner.until) - Date.parse(banner.since)).toISOString(),
    },
  };
}
