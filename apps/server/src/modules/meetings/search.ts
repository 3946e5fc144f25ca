import { inArray, sql, type SQL } from 'drizzle-orm';
import { containsKeyword, type Search, type TenantTx } from '../../platform/db/index.ts';
import { account } from '../users/tables.ts';
import { meeting, meetingGrant, meetingParticipant } from './tables.ts';

/** Hosts a keyword may stand for. */
const HOSTS_BY_KEYWORD = 200;

/**
 * Ids of the meetings somebody hosts, was granted or is invited to, as an array in SQL. It depends on nothing outside, so it is
 * read once, each part by its index; what is compared with it is found by its own index, however many others there are.
 */
export function ownMeetings(accountId: string): SQL {
  const hosted = sql`select ${meeting.id} from ${meeting} where ${meeting.hostId} = ${accountId}`;
  const granted = sql`select ${meetingGrant.meetingId} from ${meetingGrant} where ${meetingGrant.accountId} = ${accountId}`;
  const invited = sql`select ${meetingParticipant.meetingId} from ${meetingParticipant} where ${meetingParticipant.accountId} = ${accountId}`;
  return sql`array(${hosted} union ${granted} union ${invited})`;
}

/** By subject, number or host. The hosts are looked up first, so that each part of the condition has its index. */
export async function searchMeetings(tx: TenantTx, keyword: string): Promise<Search> {
  const own = await containsKeyword(tx, [meeting.subject, meeting.number], keyword);
  const { page } = await containsKeyword(tx, [account.name], keyword);
  const hosts = await tx.find(account, page, { limit: HOSTS_BY_KEYWORD });
  if (hosts.length === 0) return own;
  const byHost = inArray(meeting.hostId, hosts.map((host) => host.id));
  return { page: sql`(${own.page} or ${byHost})`, count: sql`(${own.count} or ${byHost})` };
}
