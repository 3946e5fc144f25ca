import type { TenantTx } from '../../platform/db/index.ts';

/** Who acts, and how their browser reaches this server, for the links in notices. */
export interface NoticeOrigin {
  caller: { userId: string };
  origin: string;
}

/** What meetings need of notices, which stand on meetings and therefore hand it in. */
export interface NoticeDoor {
  /**
   * Tells people what has become of a meeting: whoever is new is invited, whoever is out is told so, and the others hear
   * of what they would see changed. To be called in the transaction that changed it, after everything else, since it
   * publishes on topic `user`. Looks at the meeting as it is stored, so it may be called once too often.
   */
  meetingChanged(tx: TenantTx, origin: NoticeOrigin, meetingId: string): Promise<void>;
}
