import { z } from 'zod';
import { CAMERA_CODECS } from '../constants.ts';

/** Who may start a recording: those who may control the conference, or its host and administrators only. */
export const RECORDING_STARTERS = ['chairs', 'hosts'] as const;
/** Who may watch recordings without a grant, besides host and administrators: no others, or who took part. */
export const RECORDING_VIEWERS = ['hosts', 'participants'] as const;

/** What an organisation sets for the recordings of its meetings. */
export const recordingSettings = z.object({
  enabled: z.boolean(),
  startedBy: z.enum(RECORDING_STARTERS),
  watchedBy: z.enum(RECORDING_VIEWERS),
  /** Each terminal's sound and picture are stored by themselves, too. */
  tracks: z.boolean(),
  /** What recordings may be saved by those who watch them, unless changed for one. */
  download: z.boolean(),
  watermark: z.boolean(),
  /** Days after which a recording is moved to the bin; null: never. */
  keptDays: z.number().int().min(1).max(3_650).nullable(),
  /** What cameras and shares send. */
  codec: z.enum(CAMERA_CODECS),
});
export type RecordingSettings = z.infer<typeof recordingSettings>;

export const initialRecordingSettings: RecordingSettings = {
  enabled: true,
  startedBy: 'chairs',
  watchedBy: 'hosts',
  tracks: true,
  download: true,
  watermark: false,
  keptDays: null,
  codec: 'h264',
};
