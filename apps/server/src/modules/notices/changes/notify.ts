import { isOfApproval, type NoticeKind } from '@rmeet/contract';
import type { TenantTx } from '../../../platform/db/index.ts';
import type { Push } from '../../../platform/push/index.ts';
import type { SecretBox } from '../../../platform/secrets/index.ts';
import { findParticipants, hasConference, passwordOf } from '../../meetings/index.ts';
import { roomsOfMeetings } from '../../rooms/index.ts';
import type { MeetingRow } from '../../meetings/tables.ts';
import { findAccounts } from '../../accounts/users/index.ts';
import type { Channels } from '../delivery/channels.ts';
import { isSame, type MeetingSnapshot } from './snapshot.ts';
import { keyOf, recipientIn, recipientOf, type Recipient } from '../recipients.ts';
import {
  addEdition,
  addNotices,
  dropNotices,
  latestEdition,
  noticesOf,
  currentRecipients,
  type NewNotice,
  type Topic,
} from '../repo.ts';
import type { NoticeEditionRow, NoticeRow } from '../tables.ts';

export interface NotifyDeps {
  push: Push;
  secrets: SecretBox;
  now: () => Date;
  channels: Channels;
  /** Triggers sending after the commit. */
  sendSoon: (tx: TenantTx) => void;
}

/** A notice to write. */
interface Addressed {
  kind: NoticeKind;
  recipient: Recipient;
}

/** Writes notices for all channels of their recipients, and updates open notice centres. */
export async function writeNotices(
  { push, channels, now, sendSoon }: NotifyDeps,
  tx: TenantTx,
  edition: NoticeEditionRow,
  notices: readonly Addressed[],
): Promise<void> {
  if (notices.length === 0) return;
  const optionsOf = await channels.of(
    tx,
    edition.snapshot.host.id,
    notices.map(({ recipient }) => recipient),
  );
  const rows: NewNotice[] = notices.flatMap(({ kind, recipient }) =>
    optionsOf(recipient)
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

/** Unsent notices to the same recipients, which are outdated by the new ones. */
function outdatedBy(earlier: readonly NoticeRow[], notices: readonly Addressed[]): NoticeRow[] {
  const keys = new Set(notices.map(({ recipient }) => keyOf(recipient)));
  return earlier.filter((row) => row.status === 'SENDING' && keys.has(keyOf(row)));
}

/** The current state of a topic. */
export interface MeetingState {
  snapshot: MeetingSnapshot;
  passwordSealed: string | null;
  invited: readonly Recipient[];
}

/** What recipients were told before. */
export interface Known {
  /** The last edition, of the topic itself or of its series; undefined if there is none. */
  latest: Pick<NoticeEditionRow, 'snapshot' | 'passwordSealed'> | undefined;
  /** The topic's own notices, the oldest first, and those of its series. */
  earlier: readonly NoticeRow[];
  inherited: readonly NoticeRow[];
  /** The number of the next edition. */
  sequence: number;
}

const inOrder = (rows: readonly NoticeRow[]): NoticeRow[] =>
  rows.toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.id.localeCompare(other.id));

/** What recipients were told of one topic, not considering its series. */
export async function knownOf(tx: TenantTx, topic: Topic): Promise<Known> {
  const latest = await latestEdition(tx, topic);
  return {
    latest,
    earlier: latest ? await noticesOf(tx, topic) : [],
    inherited: [],
    sequence: latest ? latest.sequence + 1 : 0,
  };
}

/** The snapshot of a single meeting. */
export async function snapshotOf(tx: TenantTx, row: MeetingRow): Promise<MeetingSnapshot> {
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
    ...(row.e2ee && { e2ee: true }),
    ...(row.type === 'LIVE_MEETING' && !row.hasConference && { isWatched: true }),
    rooms: rooms.map(({ name, building }) => `${name}, ${building}`),
    meetingId: row.id,
  };
}

export const invitedTo = async (tx: TenantTx, { id }: MeetingRow): Promise<Recipient[]> =>
  (await findParticipants(tx, [id])).map(recipientOf);

/** Whether a reader would see a difference. */
export function isChanged(
  secrets: SecretBox,
  tenantId: string,
  latest: Known['latest'],
  { snapshot, passwordSealed }: MeetingState,
): boolean {
  if (!latest || !isSame(latest.snapshot, snapshot)) return true;
  const open = (sealed: string | null, { meetingId: id }: MeetingSnapshot): string =>
    passwordOf(secrets, { id, tenantId, passwordSealed: sealed });
  return open(latest.passwordSealed, latest.snapshot) !== open(passwordSealed, snapshot);
}

/** The kind of notice for people who were notified before. */
export type ChangeKind = 'change' | 'roomReleased';

/** The notices to invited people, and to those who are no longer invited. */
function addressedBy(
  { invited }: MeetingState,
  before: ReadonlyMap<string, Recipient>,
  hasNews: boolean,
  change: ChangeKind,
): Addressed[] {
  const now = new Map(invited.map((one) => [keyOf(one), one]));
  const toInvited = [...now].flatMap(([key, recipient]): Addressed[] => {
    if (!before.has(key)) return [{ kind: 'invitation', recipient }];
    return hasNews ? [{ kind: change, recipient }] : [];
  });
  const toOthers = [...before]
    .filter(([key]) => !now.has(key))
    .map(([, recipient]): Addressed => ({ kind: 'cancellation', recipient: recipientIn(recipient) }));
  return [...toInvited, ...toOthers];
}

/**
 * Compares what recipients were told with the current state, and notifies each of what is new to them.
 *
 * @param hasNews whether the current state is new to everybody
 */
export async function notify(
  deps: NotifyDeps,
  tx: TenantTx,
  topic: Topic,
  actorId: string,
  known: Known,
  state: MeetingState,
  hasNews: boolean,
  change: ChangeKind = 'change',
): Promise<void> {
  const { snapshot, passwordSealed } = state;
  const hostId = snapshot.host.id;
  const earlier = inOrder([...known.inherited, ...known.earlier]).filter(({ accountId }) => accountId !== hostId);
  const notices = addressedBy(state, currentRecipients(earlier), hasNews, change);
  if (notices.length === 0 && !hasNews) return;

  const outdated = outdatedBy(known.earlier, notices);
  await dropNotices(
    tx,
    outdated.map(({ id }) => id),
  );
  // A person whose invitation was not even sent gets an invitation instead of a change.
  const uninvited = new Set(outdated.filter(({ kind }) => kind === 'invitation').map(keyOf));
  for (const one of notices) if (one.kind === change && uninvited.has(keyOf(one.recipient))) one.kind = 'invitation';
  // The host is not notified of their own changes, only of those by others.
  if (known.latest && hasNews && actorId !== hostId)
    notices.push({
      kind: snapshot.isCancelled ? 'cancellation' : change,
      recipient: { accountId: hostId, email: null, phone: null, name: '' },
    });
  const edition = await addEdition(tx, topic, {
    sequence: known.sequence,
    snapshot,
    passwordSealed,
    createdAt: deps.now(),
  });
  await writeNotices(deps, tx, edition, notices);
}

/** The state of a called-off meeting. Its rooms are free again, so the notice shows it as it was last announced. */
export const cancelledState = ({ snapshot, passwordSealed }: NonNullable<Known['latest']>): MeetingState => ({
  snapshot: { ...snapshot, isCancelled: true },
  passwordSealed,
  invited: [],
});
/** Whether a meeting was cancelled or refused, or its approval was not decided in time. */
export const isCalledOff = ({ cancelledAt, approval, status }: MeetingRow): boolean =>
  cancelledAt !== null || approval === 'refused' || (approval === 'waiting' && status === 'OFFLINE');
