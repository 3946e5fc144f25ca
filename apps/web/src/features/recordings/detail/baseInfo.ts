import type { RecordingDetail, RecordingSetting } from '@rmeet/contract';

/** What the page shows of a recording before all else, and whether its viewer may watch it. */
interface BaseInfo {
  startTime: string | null;
  subject: string;
  setting: RecordingSetting | null;
  /** More people than its host and administrators may watch it. */
  mulpitleAuth: boolean;
  /** The viewer may. */
  authResult: boolean;
}

/** Before it is known. */
export const NO_BASE_INFO: BaseInfo = {
  startTime: null,
  subject: '',
  setting: null,
  mulpitleAuth: false,
  authResult: false,
};

/** The base info of a recording; what is not known yet is empty. */
export function baseInfoOf(recording: Pick<RecordingDetail, keyof BaseInfo> | undefined): BaseInfo {
  if (recording === undefined) return NO_BASE_INFO;
  const { startTime, subject, setting, mulpitleAuth, authResult } = recording;
  return { startTime, subject, setting, mulpitleAuth, authResult };
}
