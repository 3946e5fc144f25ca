import { eq } from 'drizzle-orm';
import type { NoticeKind } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { findParticipants, passwordOf, roomsOfMeetings, type NoticeDoor, type NoticeOrigin } from '../meetings/index.ts';
import { meeting, type MeetingRow } from '../meetings/tables.ts';
import { findAccounts } from '../users/index.ts';
import type { Channels } from './channels.ts';
import { isSame, type Facts } from './facts.ts';
import { keyOf, recipientIn, recipientOf, type Recipient } from './recipients.ts';
import { addEdition, addNotices, dropNotices, latestEdition, noticesOf, standing, type NewNotice, type Topic } from './repo.ts';
import type { NoticeEditionRow, NoticeRow } from './tables.ts';

export interface TellDeps {
  push: Push;
  secrets: SecretBox;
  now: () => Date;
  channels: Channels;
  /** Has what was written sent once the transaction has committed. */
  sendSoon: (tx: TenantTx) => void;
}

/** What is told to whom. */
interface Told {
  kind: NoticeKind;
  recipient: Recipient;
}

/** Writes notices by all channels their recipients can be reached by, and tells the notice centres that are open. */
export async function writeNotices({ push, channels, now, sendSoon }: TellDeps, tx: TenantTx, edition: NoticeEditionRow, told: readonly Told[]): Promise<void> {
  if (told.length === 0) return;
  const reach = await channels.of(tx, edition.facts.host.id, told.map(({ recipient }) => recipient));
  const rows: NewNotice[] = told.flatMap(({ kind, recipient }) =>
    reach(recipient).map(({ channel, failure }) => {
      const status = failure === null ? (channel === 'centre' ? 'SUCCESS' : 'SENDING') : 'FAIL';
      return { editionId: edition.id, ...recipient, kind, channel, status, failure, ...(status === 'SENDING' ? {} : { triedAt: now() }) };
    }));
  const written = await addNotices(tx, rows, now());
  const userIds = [...new Set(written.flatMap(({ accountId, channel }) => (channel === 'centre' && accountId !== null ? [accountId] : [])))];
  if (userIds.length > 0) await push.publish(tx, 'user', { type: 'noticesChanged', userIds });
  if (written.some(({ status }) => status === 'SENDING')) sendSoon(tx);
}

/** What has not gone out yet to those who are told anew, and is thereby out of date. */
function overtaken(earlier: readonly NoticeRow[], told: readonly Told[]): NoticeRow[] {
  const keys = new Set(told.map(({ recipient }) => keyOf(recipient)));
  return earlier.filter((row) => row.status === 'SENDING' && keys.has(keyOf(row)));
}

/** How things stand with a meeting. */
interface Standing {
  facts: Facts;
  passwordSealed: string | null;
  invited: readonly Recipient[];
}

/** Tells people of meetings. */
export function createTeller(deps: TellDeps): NoticeDoor {
  const { secrets, now } = deps;

  async function factsOf(tx: TenantTx, row: MeetingRow, { origin }: NoticeOrigin): Promise<Facts> {
    const [host] = await findAccounts(tx, [row.hostId]);
    const rooms = (await roomsOfMeetings(tx, [row])).get(row.id) ?? [];
    return {
      uid: row.id, recurrenceId: null, recurrence: null, isCancelled: false, subject: row.subject, agenda: row.agenda, startTime: row.startTime.toISOString(),
      duration: row.duration, timeZone: row.timeZone, number: row.number, host: { id: row.hostId, name: host?.name ?? '' },
      rooms: rooms.map(({ name, building }) => `${name}, ${building}`), meetingId: row.id, origin,
    };
  }

  function isNews(tenantId: string, latest: NoticeEditionRow | undefined, { facts, passwordSealed }: Standing): boolean {
    if (!latest || !isSame(latest.facts, facts)) return true;
    const open = (sealed: string | null, { meetingId: id }: Facts): string => passwordOf(secrets, { id, tenantId, passwordSealed: sealed });
    return open(latest.passwordSealed, latest.facts) !== open(passwordSealed, facts);
  }

  /** Compares what people know with how things stand, and tells each what is new to them. */
  async function tell(tx: TenantTx, topic: Topic, actorId: string, latest: NoticeEditionRow | undefined, standingNow: Standing): Promise<void> {
    const { facts, passwordSealed } = standingNow;
    const hostId = facts.host.id;
    const earlier = latest ? await noticesOf(tx, topic) : [];
    const known = standing(earlier.filter(({ accountId }) => accountId !== hostId));
    const invited = new Map(standingNow.invited.map((one) => [keyOf(one), one]));
    const hasNews = isNews(tx.tenantId, latest, standingNow);
    const told: Told[] = [];
    for (const [key, recipient] of invited) {
      if (!known.has(key)) told.push({ kind: 'invitation', recipient });
      else if (hasNews) told.push({ kind: 'change', recipient });
    }
    for (const [key, recipient] of known) if (!invited.has(key)) told.push({ kind: 'cancellation', recipient: recipientIn(recipient) });
    if (told.length === 0 && !hasNews) return;

    // What has not gone out yet is out of date; whoever has not even had the invitation is invited.
    const late = overtaken(earlier, told);
    await dropNotices(tx, late.map(({ id }) => id));
    const uninvited = new Set(late.filter(({ kind }) => kind === 'invitation').map(keyOf));
    for (const one of told) if (one.kind === 'change' && uninvited.has(keyOf(one.recipient))) one.kind = 'invitation';
    // The host knows what the host did, and is told what others did with the meeting.
    if (latest && hasNews && actorId !== hostId) told.push({ kind: facts.isCancelled ? 'cancellation' : 'change', recipient: { accountId: hostId, email: null, phone: null, name: '' } });
    const edition = await addEdition(tx, topic, { sequence: latest ? latest.sequence + 1 : 0, facts, passwordSealed, createdAt: now() });
    await writeNotices(deps, tx, edition, told);
  }

  return {
    async meetingChanged(tx, origin, meetingId) {
      const row = await tx.findOne(meeting, eq(meeting.id, meetingId));
      // Nobody is told of what may not take place; once it is approved, everybody is.
      if (!row || row.approval === 'waiting') return;
      const latest = await latestEdition(tx, { meetingId });
      const isOff = row.cancelledAt !== null || row.approval === 'refused';
      if (isOff && !latest) return;
      // What is off has given its rooms back: people know it as they were told of it.
      const standingNow = isOff && latest
        ? { facts: { ...latest.facts, isCancelled: true }, passwordSealed: latest.passwordSealed, invited: [] }
        : { facts: await factsOf(tx, row, origin), passwordSealed: row.passwordSealed, invited: (await findParticipants(tx, [row.id])).map(recipientOf) };
      await tell(tx, { meetingId }, origin.caller.userId, latest, standingNow);
    },
  };
}
