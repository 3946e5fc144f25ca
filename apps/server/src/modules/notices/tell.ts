import { isOfApproval, type NoticeKind } from '@rmeet/contract';
import type { TenantTx } from '../../platform/db/index.ts';
import type { Push } from '../../platform/push/index.ts';
import type { SecretBox } from '../../platform/secrets/index.ts';
import { findParticipants, hasConference, passwordOf } from '../meetings/index.ts';
import { roomsOfMeetings } from '../rooms/index.ts';
import type { MeetingRow } from '../meetings/tables.ts';
import { findAccounts } from '../accounts/users/index.ts';
import type { Channels } from './channels.ts';
import { isSame, type Facts } from './facts.ts';
import { keyOf, recipientIn, recipientOf, type Recipient } from './recipients.ts';
import {
  addEdition,
  addNotices,
  dropNotices,
  latestEdition,
  noticesOf,
  standing,
  type NewNotice,
  type Topic,
} from './repo.ts';
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
export async function writeNotices(
  { push, channels, now, sendSoon }: TellDeps,
  tx: TenantTx,
  edition: NoticeEditionRow,
  told: readonly Told[],
): Promise<void> {
  if (told.length === 0) return;
  const reach = await channels.of(
    tx,
    edition.facts.host.id,
    told.map(({ recipient }) => recipient),
  );
  const rows: NewNotice[] = told.flatMap(({ kind, recipient }) =>
    reach(recipient)
      .filter(({ channel }) => channel !== 'sms' || !isOfApproval(kind))
      .map(({ channel, failure }) => {
        const status = failure === null ? (channel === 'centre' ? 'SUCCESS' : 'SENDING') : 'FAIL';
        return Object.assign(
          {
            editionId: edition.id,
            kind,
            channel,
            status,
            failure,
            triedAt: status === 'SENDING' ? null : now(),
          } as const,
          recipient,
        );
      }),
  );
  const written = await addNotices(tx, rows, now());
  const userIds = [
    ...new Set(
      written.flatMap(({ accountId, channel }) => (channel === 'centre' && accountId !== null ? [accountId] : [])),
    ),
  ];
  if (userIds.length > 0) await push.publish(tx, 'user', { type: 'noticesChanged', userIds });
  if (written.some(({ status }) => status === 'SENDING')) sendSoon(tx);
}

/** What has not gone out yet to those who are told anew, and is thereby out of date. */
function overtaken(earlier: readonly NoticeRow[], told: readonly Told[]): NoticeRow[] {
  const keys = new Set(told.map(({ recipient }) => keyOf(recipient)));
  return earlier.filter((row) => row.status === 'SENDING' && keys.has(keyOf(row)));
}

/** How things stand with what people are told of. */
export interface Standing {
  facts: Facts;
  passwordSealed: string | null;
  invited: readonly Recipient[];
}

/** What people know. */
export interface Known {
  /** What they were told last, of the topic itself or of what it is part of; undefined when nothing. */
  latest: Pick<NoticeEditionRow, 'facts' | 'passwordSealed'> | undefined;
  /** Its notices, the oldest first, and those of what it is part of. */
  earlier: readonly NoticeRow[];
  inherited: readonly NoticeRow[];
  /** The number of what they are told next. */
  sequence: number;
}

const inOrder = (rows: readonly NoticeRow[]): NoticeRow[] =>
  rows.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.id.localeCompare(other.id));

/** What is known of one topic by itself. */
export async function knownOf(tx: TenantTx, topic: Topic): Promise<Known> {
  const latest = await latestEdition(tx, topic);
  return {
    latest,
    earlier: latest ? await noticesOf(tx, topic) : [],
    inherited: [],
    sequence: latest ? latest.sequence + 1 : 0,
  };
}

/** What people see of a meeting of its own. */
export async function factsOf(tx: TenantTx, row: MeetingRow): Promise<Facts> {
  const [host] = await findAccounts(tx, [row.hostId]);
  const rooms = (await roomsOfMeetings(tx, [row])).get(row.id) ?? [];
  return {
    uid: row.id,
    recurrenceId: null,
    recurrence: null,
    isCancelled: false,
    subject: row.subject,
    agenda: row.agenda,
    startTime: row.startTime.toISOString(),
    duration: row.duration,
    timeZone: row.timeZone,
    number: hasConference(row) ? row.number : '',
    host: { id: row.hostId, name: host?.name ?? '' },
    rooms: rooms.map(({ name, building }) => `${name}, ${building}`),
    meetingId: row.id,
  };
}

export const invitedTo = async (tx: TenantTx, { id }: MeetingRow): Promise<Recipient[]> =>
  (await findParticipants(tx, [id])).map(recipientOf);

/** Whether people would see a difference. */
export function isNews(
  secrets: SecretBox,
  tenantId: string,
  latest: Known['latest'],
  { facts, passwordSealed }: Standing,
): boolean {
  if (!latest || !isSame(latest.facts, facts)) return true;
  const open = (sealed: string | null, { meetingId: id }: Facts): string =>
    passwordOf(secrets, { id, tenantId, passwordSealed: sealed });
  return open(latest.passwordSealed, latest.facts) !== open(passwordSealed, facts);
}

/** What people are told of who were told of the meeting before. */
export type ChangeKind = 'change' | 'roomReleased';

/**
 * Compares what people know with how things stand, and tells each what is new to them; `hasNews`: what stands is new to
 * all.
 */
export async function tell(
  deps: TellDeps,
  tx: TenantTx,
  topic: Topic,
  actorId: string,
  known: Known,
  standingNow: Standing,
  hasNews: boolean,
  change: ChangeKind = 'change',
): Promise<void> {
  const { facts, passwordSealed } = standingNow;
  const hostId = facts.host.id;
  const heard = inOrder([...known.inherited, ...known.earlier]).filter(({ accountId }) => accountId !== hostId);
  const before = standing(heard);
  const invited = new Map(standingNow.invited.map((one) => [keyOf(one), one]));
  const told: Told[] = [];
  for (const [key, recipient] of invited) {
    if (!before.has(key)) told.push({ kind: 'invitation', recipient });
    else if (hasNews) told.push({ kind: change, recipient });
  }
  for (const [key, recipient] of before)
    if (!invited.has(key)) told.push({ kind: 'cancellation', recipient: recipientIn(recipient) });
  if (told.length === 0 && !hasNews) return;

  // What has not gone out yet is out of date; whoever has not even had the invitation is invited.
  const late = overtaken(known.earlier, told);
  await dropNotices(
    tx,
    late.map(({ id }) => id),
  );
  const uninvited = new Set(late.filter(({ kind }) => kind === 'invitation').map(keyOf));
  for (const one of told) if (one.kind === change && uninvited.has(keyOf(one.recipient))) one.kind = 'invitation';
  // The host knows what the host did, and is told what others did with the meeting.
  if (known.latest && hasNews && actorId !== hostId)
    told.push({
      kind: facts.isCancelled ? 'cancellation' : change,
      recipient: { accountId: hostId, email: null, phone: null, name: '' },
    });
  const edition = await addEdition(tx, topic, {
    sequence: known.sequence,
    facts,
    passwordSealed,
    createdAt: deps.now(),
  });
  await writeNotices(deps, tx, edition, told);
}

/** What is off has given its rooms back: people know it as they were told of it. */
export const calledOff = ({ facts, passwordSealed }: NonNullable<Known['latest']>): Standing => ({
  facts: { ...facts, isCancelled: true },
  passwordSealed,
  invited: [],
});
/** Cancelled, refused, or not decided on in time. */
export const isOff = ({ cancelledAt, approval, status }: MeetingRow): boolean =>
  cancelledAt !== null || approval === 'refused' || (approval === 'waiting' && status === 'OFFLINE');
