import { z } from 'zod';
import { deskEvent, deskState, ring, terminalReport } from './conferences/desk.ts';
import { TOPIC_PATTERN } from './constants.ts';
import { conferenceEvent, conferenceState, waitingEvent } from './conferences/conferences.ts';
import { announcementsEvent } from './notices/announcements.ts';
import { noticesEvent } from './notices/notices.ts';

/**
 * The push socket, `/api/push`. JSON text frames. The client first sends a token, then subscribes; `since` is the last
 * version it has of a topic. The server answers a subscription with the events after `since`, or with a snapshot if
 * those are no longer stored or too many.
 */
export const PUSH_PATH = '/api/push';

export const pushTopic = z.string().max(60).regex(TOPIC_PATTERN);

export const pushRequest = z.union([
  z.object({ token: z.string().max(200) }),
  z.object({ sessionToken: z.string().max(200) }),
  z.object({ deskToken: z.string().max(200) }),
  z.object({ subscribe: z.array(pushTopic).min(1).max(20), since: z.record(z.string(), z.number().int()).optional() }),
  z.object({ unsubscribe: z.array(pushTopic).min(1).max(20) }),
  /**
   * Everything up to `version` is done; `failed`: it could not be done, the reason as a word of ACK_FAILURES. `gap`: ms
   * without media while the terminal moved to another room.
   */
  z.object({
    ack: z.object({
      topic: pushTopic,
      version: z.number().int(),
      failed: z.string().max(40).optional(),
      gap: z.number().int().min(0).max(3_600_000).optional(),
    }),
  }),
  /** A terminal reports about its media. */
  z.object({ report: z.object({ topic: pushTopic, report: terminalReport }) }),
  z.object({ ping: z.number() }),
]);
export type PushRequest = z.infer<typeof pushRequest>;

/**
 * On topic `user`: the session ended (signed in elsewhere, disabled, logged out), the account's rights have changed, a
 * conference calls, or there are new notices or announcements.
 */
export const userEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sessionEnded'), statusCode: z.string() }),
  z.object({ type: z.literal('accessChanged') }),
  ring.extend({ type: z.literal('ring') }),
  z.object({ type: z.literal('ringOver'), meetId: z.uuid() }),
  /** The virus scanner found something in a file that the account uploaded to a meeting. */
  z.object({ type: z.literal('fileInfected'), meetId: z.uuid(), name: z.string() }),
  noticesEvent,
  announcementsEvent,
]);
/** On topic `activity`: lists of meetings are stale. */
export const activityEvent = z.object({ type: z.literal('meetingsChanged'), meetId: z.uuid() });

export const pushMessage = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ error: z.string(), topic: z.string().optional() }),
  z.object({ subscribed: z.string(), version: z.number().int() }),
  z.object({ topic: z.string(), version: z.number().int(), snapshot: z.union([conferenceState, deskState]) }),
  z.object({
    topic: z.string(),
    version: z.number().int(),
    /**
     * The previous version for this receiver; those in between were not addressed to it. A receiver with an older
     * version has missed an event.
     */
    previous: z.number().int(),
    event: z.union([conferenceEvent, waitingEvent, deskEvent, userEvent, activityEvent]),
  }),
  /** The newest reports of terminals, for desks; not numbered and not repeated. */
  z.object({ topic: z.string(), reports: z.record(z.string(), terminalReport) }),
  z.object({ pong: z.number() }),
]);
export type PushMessage = z.infer<typeof pushMessage>;
