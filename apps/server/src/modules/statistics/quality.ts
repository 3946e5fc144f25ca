import { and, asc, eq, gte, isNotNull, lt, sql } from 'drizzle-orm';
import ipaddr from 'ipaddr.js';
import { MEDIA_LIMITS, ONE_DAY, type QualityCause } from '@rmeet/contract';
import type { Row, TenantTx } from '../../platform/db/index.ts';
import { session } from '../accounts/auth/tables.ts';
import { account } from '../accounts/users/tables.ts';
import { conference, terminalSession } from '../conferences/tables.ts';
import { terminalQuality } from '../history/tables.ts';
import { plusDays, startOf } from './calendar.ts';
import { addDetails, localDay, startsWithin, type Details, type Reading } from './details.ts';
import type { statisticQuality } from './tables.ts';

type QualityRow = Omit<Row<typeof statisticQuality>, 'tenantId'>;
type Summary = Row<typeof terminalQuality>['summary'];

/** Seconds between two reports of a terminal. */
const REPORT_SECONDS = 2;
/** How long before a conference a sign-in may be that still holds; milliseconds. */
const SESSION_DAYS = 7 * ONE_DAY;
/** Networks are told apart by these lengths of their prefixes. */
const PREFIX = { ipv4: 24, ipv6: 48 };

/**
 * Why a terminal's reports were poor, by the limits of which one makes a report poor (mediaScoreOf): the summary keeps
 * the largest loss and delay, and neither jitter nor broken connections, which remain.
 */
export function causeOf({ scores, measures }: Summary): QualityCause {
  if (scores.poor === 0) return 'none';
  if ((measures.loss?.max ?? 0) >= MEDIA_LIMITS.loss.bad) return 'loss';
  return (measures.roundTrip?.max ?? 0) >= MEDIA_LIMITS.roundTrip.bad ? 'delay' : 'other';
}

/** The network of an address, `192.0.2.0/24` or `2001:db8:1::/48`; empty if it is none. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return '';
  const known = ipaddr.process(address);
  const bits = PREFIX[known.kind()];
  const bytes = known.toByteArray().map((byte, n) => (n < bits / 8 ? byte : 0));
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

interface Terminal extends Pick<QualityRow, 'day' | 'department' | 'type' | 'device'> {
  accountId: string | null;
  createdAt: Date;
  summary: Summary;
}

interface SignIn {
  accountId: string;
  address: string;
  createdAt: Date;
}

/** The newest sign-in of an account before a moment. */
function addressAt(signIns: readonly SignIn[] | undefined, at: Date): string {
  return signIns?.findLast(({ createdAt }) => createdAt <= at)?.address ?? '';
}

/** Sign-ins that may hold during conferences of these days, by account, oldest first. */
async function readAddresses(tx: TenantTx, { from, to, timeZone }: Reading): Promise<Map<string, SignIn[]>> {
  const of = tx.scoped(session);
  const rows = await tx
    .select({ accountId: of.accountId, address: of.address, createdAt: of.createdAt })
    .from(of)
    .where(
      and(
        gte(of.createdAt, new Date(startOf(from, timeZone).getTime() - SESSION_DAYS)),
        lt(of.createdAt, startOf(plusDays(to, 2), timeZone)),
      ),
    )
    .orderBy(asc(of.createdAt));
  return Map.groupBy(rows, ({ accountId }) => accountId);
}

/** The media quality of terminals in conferences that began in these days. */
export async function readQuality(tx: TenantTx, reading: Reading): Promise<{ rows: QualityRow[]; details: Details }> {
  const [of, inside, quality, person] = [
    tx.scoped(conference),
    tx.scoped(terminalSession),
    tx.scoped(terminalQuality),
    tx.scoped(account),
  ];
  // The types of drizzle lose columns of sources where another one is joined from the left.
  const terminals = (await tx
    .select({
      day: localDay(of.startedAt, reading.timeZone),
      department: sql<string>`coalesce(${person.department}, '')`,
      type: of.type,
      device: inside.deviceType,
      accountId: inside.accountId,
      createdAt: inside.createdAt,
      summary: quality.summary,
    })
    .from(of)
    .innerJoin(inside, and(eq(inside.conferenceId, of.id), isNotNull(inside.firstInsideAt)))
    .innerJoin(quality, eq(quality.termId, inside.termId))
    .leftJoin(person, eq(person.id, inside.accountId))
    .where(startsWithin(of.startedAt, reading))) as unknown as Terminal[];
  const addresses = await readAddresses(tx, reading);
  const rows = new Map<string, QualityRow>();
  for (const { day, department, type, device, accountId, createdAt, summary } of terminals) {
    const address = accountId === null ? '' : addressAt(addresses.get(accountId), createdAt);
    const place = { day, department, type, cause: causeOf(summary), network: networkOf(address), device };
    const key = JSON.stringify(Object.values(place));
    const row = rows.get(key) ?? { ...place, terminals: 0, good: 0, fair: 0, poor: 0 };
    rows.set(key, row);
    row.terminals += 1;
    for (const score of ['good', 'fair', 'poor'] as const) row[score] += summary.scores[score] * REPORT_SECONDS;
  }
  return { rows: [...rows.values()], details: addDetails(terminals, () => 1) };
}
