import { CONFERENCE_TEMPLATES } from '@rmeet/conference';
import { errorMessage, LIMITS, type contract, type Data, type Input } from '@rmeet/contract';
import type { Db } from '../../../platform/db/index.ts';
import { AppError, type Context, type UserCaller } from '../../../platform/http/index.ts';
import { findTenant } from '../../accounts/tenants/index.ts';
import { portsOf } from '../../resources/index.ts';
import { manageMeeting } from '../access/access.ts';
import { tryTimes } from './writer.ts';

type UserContext = Context<UserCaller>;
type LimitParams = Input<typeof contract.booking.participantLimit>['params'];
type TimesQuery = Input<typeof contract.booking.allowUpdate>['query'];

export interface BookingOptionDeps {
  db: Db;
  now: () => Date;
  /** Terminals of one conference. */
  capacity: number;
}

/** Options for booking a meeting, and whether it can be changed. */
export function createBookingOptions({ db, now, capacity }: BookingOptionDeps) {
  return {
    templates: (): Data<typeof contract.booking.templates> => [...CONFERENCE_TEMPLATES],

    /** @throws AppError NOT_FOUND for a resource that the tenant does not have */
    participantLimit: ({ caller }: UserContext, { a: type, b: resource }: LimitParams): Promise<{ limit: number }> =>
      db.tenant(caller.tenantId, async (tx) => {
        const ports = resource === '-' ? null : await portsOf(tx, resource);
        if (ports === undefined) throw new AppError('NOT_FOUND');
        if (type === 'LOCAL_MEETING') return { limit: LIMITS.participants };
        const terminals = (await findTenant(tx, tx.tenantId))?.maxTerminals ?? null;
        return { limit: Math.min(LIMITS.participants, capacity, terminals ?? Infinity, ports ?? Infinity) };
      }),

    /**
     * Whether a meeting can be changed: makes the change and rolls it back.
     *
     * @throws AppError NOT_FOUND, FORBIDDEN
     */
    async allowUpdate(
      context: UserContext,
      id: string,
      { startTime, duration }: TimesQuery,
    ): Promise<Data<typeof contract.booking.allowUpdate>> {
      const undo = new Error('Rolled back after the trial.');
      const times = { startTime: startTime === undefined ? undefined : new Date(startTime), duration };
      const tried: { refusal?: AppError } = {};
      await db
        .tenant(context.caller.tenantId, async (tx) => {
          const before = await manageMeeting(tx, id, context.caller, { lock: true });
          await tryTimes(tx, context, before, times, now()).catch((error: unknown) => {
            if (!(error instanceof AppError)) throw error;
            tried.refusal = error;
          });
          throw undo;
        })
        .catch((error: unknown) => {
          if (error !== undo) throw error;
        });
      const { refusal } = tried;
      return {
        allowed: !refusal,
        reason: refusal?.code ?? null,
        params: refusal?.params ?? {},
        message: refusal ? errorMessage(refusal.code, context.locale, refusal.params) : '',
      };
    },
  };
}

export type BookingOptions = ReturnType<typeof createBookingOptions>;
