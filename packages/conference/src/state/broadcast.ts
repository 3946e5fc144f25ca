import { z } from 'zod';

/** A live broadcast of the conference, as everybody in it sees it; the server sets it. */
export const conferenceBroadcast = z.object({
  id: z.uuid(),
  /** `paused`: viewers see a card. */
  status: z.enum(['onAir', 'paused']),
  /** When it went on air first, ISO 8601. */
  startedAt: z.iso.datetime(),
});
export type ConferenceBroadcast = z.infer<typeof conferenceBroadcast>;
