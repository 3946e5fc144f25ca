import { mediaIdOf } from '../source.ts';
import type { WatchSignatures } from './signature.ts';
import type { Snapshot, Snapshots } from './snapshot.ts';

/** What a viewer with a signed address may play. */
export interface Admitted {
  /** The recording; of an outside stream the broadcast itself. */
  recordingId: string;
  /** Stretches of the recording that are shown, in order, Unix ms; `until` is null while it is on air. */
  spans: { from: number; until: number | null }[];
  /** The broadcast is over: the recording, cut by its edit, is played. */
  isOver: boolean;
}

/** Whether a signed address of a broadcast works; undefined if not, whatever the reason. */
export type Admit = (broadcastId: string, sign: string) => Promise<Admitted | undefined>;

/** The broadcast that the viewer of a signed address may still watch. */
export async function admittedTo(
  { snapshots, signatures }: { snapshots: Snapshots; signatures: WatchSignatures },
  broadcastId: string,
  sign: string,
): Promise<Snapshot | undefined> {
  const viewerId = signatures.check(broadcastId, sign);
  if (viewerId === undefined) return undefined;
  const snapshot = await snapshots.of(broadcastId);
  return snapshot?.isOpen && !snapshot.refused.has(viewerId) ? snapshot : undefined;
}

function admitted({ row, replay, spans }: Snapshot): Admitted | undefined {
  const isOver = row.state === 'ended';
  const recordingId = mediaIdOf(row);
  if (recordingId === null || row.state === 'scheduled' || (isOver && !replay)) return undefined;
  return {
    recordingId,
    spans: spans.map(({ from, until }) => ({ from: from.getTime(), until: until?.getTime() ?? null })),
    isOver,
  };
}

/** Checks signed addresses without a query of the database for each: every part of the media is asked for so. */
export function createAdmit(deps: { snapshots: Snapshots; signatures: WatchSignatures }): Admit {
  return async (broadcastId, sign) => {
    const snapshot = await admittedTo(deps, broadcastId, sign);
    return snapshot && admitted(snapshot);
  };
}

/** What everyone may play without a signed address; undefined if the broadcast is not public. */
type AdmitAll = (broadcastId: string) => Promise<Admitted | undefined>;

/** Admits a CDN, which asks for all its viewers, to public broadcasts. */
export function createAdmitAll(snapshots: Snapshots): AdmitAll {
  return async (broadcastId) => {
    const snapshot = await snapshots.of(broadcastId);
    return snapshot?.isOpen && snapshot.row.access === 'public' ? admitted(snapshot) : undefined;
  };
}
