import { ilike, like, or, sql, type SQL } from 'drizzle-orm';
import { containing, searchedIds, type Sought, type TenantTx } from '../../../platform/db/index.ts';
import { account } from '../../accounts/users/tables.ts';
import { meeting, meetingGrant, meetingParticipant } from '../tables.ts';

/** Maximum number of matching hosts whose meetings are looked up; above that, each meeting's host is checked. */
const MANY_HOSTS = 10_000;

/**
 * Ids of the meetings that an account hosts, was granted or is invited to, as an array in SQL. It has no outer
 * references, so it is read once, each part by its index; the rows compared with it are found by their own index.
 */
export function ownMeetings(accountId: string): SQL {
  const hosted = sql`select ${meeting.id} from ${meeting} where ${meeting.hostId} = ${accountId}`;
  const granted = sql`select ${meetingGrant.meetingId} from ${meetingGrant} where ${meetingGrant.accountId} =
    ${accountId}`;
  const invited = sql`select ${meetingParticipant.meetingId} from ${meetingParticipant} where
    ${meetingParticipant.accountId} = ${accountId}`;
  return sql`array(${hosted} union ${granted} union ${invited})`;
}

/** Numbers consist only of digits, so most keywords cannot match one. */
const mayBeNumber = (keyword: string): boolean => /^\d+$/.test(keyword);

function textContains(keyword: string): SQL | undefined {
  const bySubject =
    keyword.toLowerCase() === keyword.toUpperCase()
      ? like(meeting.subject, containing(keyword))
      : ilike(meeting.subject, containing(keyword));
  return mayBeNumber(keyword) ? or(bySubject, like(meeting.number, containing(keyword))) : bySubject;
}

/** A condition on subject, number or host, checked for each meeting. */
export function meetingContains(keyword: string): SQL {
  const byHost = sql`(select ${ilike(account.name, containing(keyword))} from ${account} where ${account.id} =
    ${meeting.hostId})`;
  return sql`(${textContains(keyword)} or ${byHost})`;
}

/**
 * A search for meetings of the tenant by a keyword: `match` checks each row, `sought` finds them by indexes, except for
 * a keyword that matches too many hosts.
 */
export interface MeetingSearch {
  match: SQL;
  sought: Sought | undefined;
}

/** By subject, number or host. The hosts are looked up first, so that no meeting's host must be read. */
export async function searchMeetings(tx: TenantTx, keyword: string): Promise<MeetingSearch> {
  const hosts = await searchedIds(tx, [account.name], keyword, MANY_HOSTS + 1);
  if (hosts.length > MANY_HOSTS) return { match: meetingContains(keyword), sought: undefined };
  const byHost = hosts.length === 0 ? undefined : sql`${meeting.hostId} = any(${`{${hosts.join(',')}}`}::uuid[])`;
  return {
    match: sql`(${or(textContains(keyword), byHost)})`,
    sought: {
      columns: mayBeNumber(keyword) ? [meeting.subject, meeting.number] : [meeting.subject],
      keyword,
      also: byHost,
    },
  };
}
