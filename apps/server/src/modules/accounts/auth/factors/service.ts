import { randomInt } from 'node:crypto';
import { FACTOR_CODE_PAUSE, FACTOR_TRIES, type contract, type Data, type Input, type SentWay } from '@rmeet/contract';
import { eq } from 'drizzle-orm';
import type { Db, PlatformTx } from '../../../../platform/db/index.ts';
import { AppError, type Context, type Handlers } from '../../../../platform/http/index.ts';
import { hashToken, type SecretBox } from '../../../../platform/secrets/index.ts';
import { recordAudit } from '../../../audit/index.ts';
import { findTenant } from '../../tenants/index.ts';
import { findAccount } from '../../users/index.ts';
import { takeOneBack } from '../attempts.ts';
import { hashDevice } from '../devices.ts';
import { asCaller, finishSignIn, unlessRefused, type Membership, type SignedIn } from '../open-session.ts';
import type { Sessions } from '../sessions.ts';
import { canBeRemembered, findTicket } from './demand.ts';
import { countUse, guessLimitOf, sendLimitOf } from './limits.ts';
import { addTotp, findFactor, hasApp, remember, useOwnCode } from './repo.ts';
import { factorTicket, type FactorTicketRow } from './tables.ts';
import { matchingStep, newTotpSecret, otpauthUri } from './totp.ts';

type Calls = typeof contract.multiauth;
type Check = Input<Calls['checkCode']>['query'];
type Enrol = Input<Calls['enrol']>['body'];

export interface FactorDeps {
  db: Db;
  now: () => Date;
  sessions: Sessions;
  secrets: SecretBox;
}

const DIGITS = 6;
const SECOND = 1_000;
const hashOf = (ticket: string, code: string): string => hashToken(JSON.stringify([ticket, code]));
const enrolBinding = ({ ticketHash }: Pick<FactorTicketRow, 'ticketHash'>): string => `enrol ${ticketHash}`;
const over = (): AppError => new AppError('FACTOR_TICKET_INVALID');

/** A contact that its owner recognises: `a***@example.org`, `***0001`. */
function masked(way: SentWay, contact: string): string {
  if (way === 'SMS') return `***${contact.slice(-4)}`;
  const at = contact.lastIndexOf('@');
  return `${contact.slice(0, 1)}***${contact.slice(at)}`;
}

interface Waiting extends Membership {
  row: FactorTicketRow;
}

/**
 * The waiting sign-in of a ticket; undefined if it has ended. Tickets of other browsers and accounts that are gone are
 * answered like unknown ones.
 */
async function waitingOf(
  tx: PlatformTx,
  { ticket, deviceId }: { ticket: string; deviceId?: string | undefined },
  now: Date,
): Promise<Waiting | undefined> {
  const row = await findTicket(tx, ticket, deviceId);
  if (!row || row.expiresAt <= now || row.tries >= FACTOR_TRIES) return undefined;
  const account = await findAccount(tx, row.accountId, true);
  const tenant = account && (await findTenant(tx, account.tenantId));
  return account && tenant && !account.deletedAt ? { row, account, tenant } : undefined;
}

const countTry = (tx: PlatformTx, { row }: Waiting) =>
  tx.update(factorTicket, { tries: row.tries + 1 }, eq(factorTicket.ticketHash, row.ticketHash));

/** Ends waiting sign-ins by their second factor. */
export function createFactorSignIn({ db, now, sessions, secrets }: FactorDeps) {
  /** Whether a code is right; uses it up. */
  async function isRight(tx: PlatformTx, { row, account }: Waiting, { ticket, way, code }: Check): Promise<boolean> {
    if (!row.ways.includes(way)) return false;
    if (way === 'TOTP' || way === 'RECOVERY')
      return useOwnCode(tx.asTenant(account.tenantId), secrets, account, { way, code }, now());
    return row.codeWay === way && row.codeHash === hashOf(ticket, code);
  }

  /** Opens the session of a sign-in whose factor was right. */
  async function finish(
    tx: PlatformTx,
    context: Context,
    { row, account, tenant }: Waiting,
    { way, remember: remembers, deviceId }: Pick<Check, 'way' | 'remember' | 'deviceId'>,
  ): Promise<SignedIn | AppError> {
    const own = tx.asTenant(account.tenantId);
    await tx.delete(factorTicket, eq(factorTicket.ticketHash, row.ticketHash));
    const device = { deviceId: hashDevice(deviceId), userAgent: context.userAgent, address: context.address };
    if (remembers && canBeRemembered(deviceId)) await remember(own, account.id, device, now());
    if (way === 'RECOVERY') {
      const event = { account, tenant, address: context.address, userAgent: context.userAgent, now: now() };
      await sessions.outside.tell(own, 'recoveryUsed', event);
    }
    const { method, originId } = row;
    return finishSignIn(
      tx,
      sessions,
      context,
      { account, tenant },
      { method, deviceId, originId, now: now(), secondFactor: way },
    );
  }

  /** Compares a code, after counting it. Refusals are returned, so that they are counted. */
  async function check(tx: PlatformTx, context: Context, query: Check): Promise<SignedIn | AppError> {
    const waiting = await waitingOf(tx, query, now());
    if (!waiting) return over();
    const limit = await guessLimitOf(tx, waiting.account, query.deviceId, now());
    const refusal = await countUse(tx, limit, now());
    if (refusal) return refusal;
    if (!(await isRight(tx, waiting, query))) {
      await countTry(tx, waiting);
      return new AppError('CODE_WRONG');
    }
    await takeOneBack(tx, limit);
    return finish(tx, context, waiting, query);
  }

  return {
    check,

    checkCode: async (context: Context, { query }: Input<Calls['checkCode']>): Promise<Data<Calls['checkCode']>> =>
      unlessRefused(await db.platform((tx) => check(tx, context, query))),

    ...createSending({ db, now, sessions, secrets }),
    ...createEnrolment({ db, now, sessions, secrets }, finish),
  };
}

/** Sends codes for waiting sign-ins. */
function createSending({ db, now, sessions }: FactorDeps) {
  return {
    async sendCode(
      _context: Context,
      { query: { ticket, way, deviceId } }: Input<Calls['sendCode']>,
    ): Promise<Data<Calls['sendCode']>> {
      const answer = await db.platform(async (tx) => {
        const waiting = await waitingOf(tx, { ticket, deviceId }, now());
        if (!waiting?.row.ways.includes(way)) return over();
        const { row, account } = waiting;
        const wait = (row.codeSentAt?.getTime() ?? 0) + FACTOR_CODE_PAUSE * SECOND - now().getTime();
        if (wait > 0) return new AppError('TOO_MANY_REQUESTS', { seconds: Math.ceil(wait / SECOND) });
        const refusal = await countUse(tx, await sendLimitOf(tx, account, deviceId, now()), now());
        if (refusal) return refusal;
        const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
        const sent = { codeHash: hashOf(ticket, code), codeWay: way, codeSentAt: now() };
        await tx.update(factorTicket, sent, eq(factorTicket.ticketHash, row.ticketHash));
        sessions.outside.sendCode(tx.asTenant(account.tenantId), account, way, code);
        return { seconds: FACTOR_CODE_PAUSE, sentTo: masked(way, way === 'MAIL' ? account.email : account.phone) };
      });
      return unlessRefused(answer);
    },
  };
}

/** Sets up the factor of accounts that must have one before they sign in. */
function createEnrolment(
  { db, now, sessions, secrets }: FactorDeps,
  finish: (
    tx: PlatformTx,
    context: Context,
    waiting: Waiting,
    by: Pick<Check, 'way' | 'remember' | 'deviceId'>,
  ) => Promise<SignedIn | AppError>,
) {
  /** A sign-in that may set a factor up; not if the account has got one meanwhile. */
  async function enrolling(tx: PlatformTx, given: Pick<Enrol, 'ticket' | 'deviceId'>): Promise<Waiting | undefined> {
    const waiting = await waitingOf(tx, given, now());
    if (!waiting?.row.mayEnrol) return undefined;
    const factor = await findFactor(tx.asTenant(waiting.account.tenantId), waiting.account.id);
    return hasApp(factor) ? undefined : waiting;
  }

  async function enrol(tx: PlatformTx, context: Context, body: Enrol): Promise<Data<Calls['enrol']> | AppError> {
    const waiting = await enrolling(tx, body);
    if (!waiting || waiting.row.pendingSealed === null) return over();
    const { row, account, tenant } = waiting;
    const secret = secrets.open(waiting.row.pendingSealed, enrolBinding(row));
    const step = matchingStep(secret, body.code, null, now());
    if (step === undefined) {
      await countTry(tx, waiting);
      return new AppError('CODE_WRONG');
    }
    const own = tx.asTenant(account.tenantId);
    const recoveryCodes = await addTotp(own, secrets, account.id, { secret, step, now: now() });
    await recordAudit(own, { ...context, caller: asCaller(account) }, now(), {
      target: { kind: 'account', id: account.id, name: account.name },
      before: { secondFactor: null },
      after: { secondFactor: 'TOTP' },
    });
    const event = { account, tenant, address: context.address, userAgent: context.userAgent, now: now() };
    await sessions.outside.tell(own, 'factorAdded', event);
    const signedIn = await finish(tx, context, waiting, { way: 'TOTP', ...body });
    return signedIn instanceof AppError ? signedIn : { ...signedIn, recoveryCodes };
  }

  return {
    async startEnrolment(
      _context: Context,
      { body }: Input<Calls['startEnrolment']>,
    ): Promise<Data<Calls['startEnrolment']>> {
      const answer = await db.platform(async (tx) => {
        const waiting = await enrolling(tx, body);
        if (!waiting) return over();
        const { row, account, tenant } = waiting;
        const secret = newTotpSecret();
        const pendingSealed = secrets.seal(secret, enrolBinding(row));
        await tx.update(factorTicket, { pendingSealed }, eq(factorTicket.ticketHash, row.ticketHash));
        return { secret, uri: otpauthUri(secret, { issuer: tenant.name, account: account.account }) };
      });
      return unlessRefused(answer);
    },

    enrol: async (context: Context, { body }: Input<Calls['enrol']>): Promise<Data<Calls['enrol']>> =>
      unlessRefused(await db.platform((tx) => enrol(tx, context, body))),
  } satisfies Partial<Handlers<Calls>>;
}

export type FactorSignIn = ReturnType<typeof createFactorSignIn>;
